# Draws rows of one ladder as lines for a terminal, after rows.awk. Standard input: the ladder's rows
# so far, of which only those from `from` on are drawn. Variables: heading; title of the task; columns;
# colour, 1 or 0; rungs, the file of the ladder's rows (ladder.tsv).
BEGIN {
    FS = "\t"
    split("▏ ▎ ▍ ▌ ▋ ▊ ▉", eighths, " ")
    NAME = 24; TIME = 9; RATE = 8; SHARE = 9; TIMES = 9
    while ((getline line < rungs) > 0) {
        split(line, cell, "\t")
        sentence[cell[1], cell[2]] = cell[4]
        wanted[cell[1], cell[2]] = cell[3]
    }
}

function painted(text, code) { return colour ? "\033[" code "m" text "\033[0m" : text }

# A number of the first line, right-aligned.
function number(text, width) { return right(text, width) }

function bar(value, paint,    cells, filled, whole, c, text, mark)
{
    cells = columns - 4 - NAME - TIME - RATE - SHARE - TIMES - 2
    filled = int((value > 1 ? 1 : value) * cells * 8 + 0.5)
    if (filled == 0 && value > 0)
        filled = 1
    whole = int(filled / 8)
    for (c = 0; c < whole; c++)
        text = text "█"
    if (filled % 8) {
        text = text eighths[filled % 8]
        c++
    }
    text = painted(text, paint)
    mark = kind == "baseline" || gate <= 0 ? -1 : int(gate * cells)
    for (; c < cells; c++)
        text = text (c == mark ? "╎" : " ")
    return text (kind == "baseline" ? "" : "▕")
}

function what_the_bar_is(    text)
{
    if (kind == "bandwidth")
        text = "of the " limit ", " digits(limit_gb_s) " GB/s here"
    else if (kind == "overlap" || kind == "lesson")
        text = "of the " limit
    else
        text = "time; speed-up over \"" baseline "\"" (gate > 0 ? ", " gate " × asked" : "")
    return text (gate > 0 && kind != "baseline" ? "; ╎ the gate, " percent(gate) : "")
}

function draw_heading()
{
    print painted(task "  " title, 1)
    print "  " machine_of(heading) (is_modelled(heading) ? ": times are MODELLED" : "")
    if (kind == "" || kind == "-")
        return
    print "  bar: " what_the_bar_is()
    print painted(left("", 4 + NAME) number("time", TIME) number("GB/s", RATE) \
        number(kind == "baseline" ? "speed-up" : kind == "overlap" ? "hidden" : "of limit", SHARE) \
        number("× before", TIMES), 2)
}

# What the grader says, where the ladder says something else.
function complaint(    both)
{
    split(wanted[file, task], both, "/")
    if (!(2 in both))
        both[2] = both[1]
    both[1] = is_modelled(heading) ? both[2] : both[1]
    if (verdict == both[1])
        return ""
    return verdict == "INCONCLUSIVE" ? "INCONCLUSIVE: too noisy to judge" \
        : "the grader says " verdict ", the ladder " both[1]
}

function draw_row(    paint, said)
{
    paint = verdict == "PASS" ? 32 : verdict == "TOO SLOW" || verdict == "INEFFICIENT" ? 33 : 31
    said = complaint()
    printf "%s", left(sprintf("%2d", NR) " ", 3) painted(left(name_of(file), NAME + 1), 1)
    if (is_timed() && (paint != 31 || verdict == "INCONCLUSIVE"))
        print number((about ? "~" : "") duration(shown_ns), TIME) number(gb_s > 0 ? digits(gb_s) : "–", RATE) \
            number(kind == "baseline" ? digits(speed_up) " ×" : share_text(), SHARE) \
            number(before > 0 ? digits(rate_of_row() / before) " ×" : "", TIMES) " " \
            bar(bar_of_row(slowest), paint)
    else
        print " " painted(verdict, paint)
    print "   " sentence[file, task]
    if (is_modelled(heading) || !is_timed())
        draw_counts()
    if (said != "")
        print "   " painted(said, 31)
}

# As many counts a line as fit.
function draw_counts(    count, k, one, line)
{
    if (counted == "-")
        return
    count = split(counted, one, /; /)
    line = "   counted  " one[1]
    for (k = 2; k <= count; k++)
        if (columns_of(line " · " one[k]) <= columns)
            line = line " · " one[k]
        else {
            print painted(line, 2)
            line = "            " one[k]
        }
    print painted(line, 2)
}

{
    read_row()
    shown_ns = time_of_row(NR == 1)
    if (NR == 1) {
        slowest = rate_of_row()
        if (from == 1)
            draw_heading()
    }
    if (NR >= from)
        draw_row()
    before = rate_of_row()
}
