# Rows of a ladder (ladder.sh says what is in them), read into variables, and numbers as people read
# them. For awk programs that draw rows; run them with LC_ALL=C.

# Sets file, task, verdict, ns, about, bytes, share, speed_up, gate, kind, limit, limit_gb_s, baseline
# and counted from the fields of this line; gb_s is 0 where bytes say nothing.
function read_row(    number)
{
    file = $1; task = $2; verdict = $3
    about = $4 ~ /^~/
    number = $4
    sub(/^~/, "", number)
    ns = number + 0; bytes = $5 + 0; share = $6 + 0; speed_up = $7 + 0; gate = $8 + 0
    kind = $9; limit = $10; limit_gb_s = $11 + 0; baseline = $12; counted = $13
    gb_s = ns > 0 && kind != "overlap" ? bytes / ns : 0
    if (about && kind == "bandwidth" && limit_gb_s > 0)
        share = gb_s / limit_gb_s
}

# How fast, to compare the rungs of one ladder: over the baseline of the same run, or per byte, since the
# problems of two runs may differ in size.
function rate_of_row()
{
    if (ns <= 0 || kind == "baseline")
        return ns > 0 ? speed_up : 0
    return (bytes > 0 ? bytes : 1) / ns
}

# The time of a row, for a problem of the size that the first timed row of its ladder had: a run chooses
# its size anew. Call it for each row of a ladder in order, with is_first for the first of them.
function time_of_row(is_first)
{
    if (is_first)
        first_bytes = first_baseline_ns = 0
    if (ns > 0 && first_bytes == 0 && first_baseline_ns == 0) {
        first_bytes = bytes
        first_baseline_ns = ns * speed_up
    }
    if (kind == "baseline" && speed_up > 0 && first_baseline_ns > 0)
        return first_baseline_ns / speed_up
    return kind != "baseline" && bytes > 0 && first_bytes > 0 ? ns * first_bytes / bytes : ns
}

# What the bar of a row shows: 1 is the limit, or where there is none the time of `slowest`.
function bar_of_row(slowest)
{
    if (kind != "baseline")
        return share > 0 ? share : 0
    return rate_of_row() > 0 && slowest > 0 ? slowest / rate_of_row() : 0
}

function is_timed() { return ns > 0 }

function name_of(path)
{
    sub(/.*\//, "", path)
    sub(/\.cu$/, "", path)
    return path ~ /_solution$/ ? "the reference" : path
}

# Three digits: 4.12, 24.5, 4,190.
function digits(value,    text)
{
    if (value < 9.995) return sprintf("%.2f", value)
    if (value < 99.95) return sprintf("%.1f", value)
    text = sprintf("%.0f", value)
    while (match(text, /[0-9][0-9][0-9][0-9]($|,)/))
        text = substr(text, 1, RSTART) "," substr(text, RSTART + 1)
    return text
}

function duration(value,    unit, units)
{
    split("ns µs ms s", units, " ")
    for (unit = 1; value >= 999.5 && unit < 4; unit++)
        value /= 1000
    return digits(value) " " units[unit]
}

function percent(value)
{
    return sprintf(value < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * value)
}

# Nothing may be hidden, and less than nothing.
function share_text() { return kind == "overlap" && share < 0.0005 ? "nothing" : percent(share) }

# Columns of a text in UTF-8: its bytes without those that continue a character.
function columns_of(text)
{
    gsub(/[\200-\277]/, "", text)
    return length(text)
}

function blanks(count) { return count > 0 ? sprintf("%*s", count, "") : "" }
function left(text, columns) { return text blanks(columns - columns_of(text)) }
function right(text, columns) { return blanks(columns - columns_of(text)) text }

# A heading, "# DEVICE, driver …, CUDA …, DAY, modelled", without the last word and the first.
function machine_of(heading)
{
    sub(/^# */, "", heading)
    sub(/, [a-z]*$/, "", heading)
    if (heading ~ /, driver [^,]*, CUDA/ && heading ~ /^Virtual/)
        sub(/, driver [^,]*/, "", heading)
    return heading
}

function is_modelled(heading) { return heading ~ /, modelled$/ }

function for_xml(text)
{
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}
