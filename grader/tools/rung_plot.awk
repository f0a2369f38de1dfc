# Draws rows as a picture for a slide, after rows.awk: bars of one ladder under the other, with the
# limit as a line. Standard input: rows of one homework. Variables: heading; titles, a file of
# "task TAB title"; rungs, the file of the ladders' rows (ladder.tsv).
BEGIN {
    FS = "\t"
    WIDTH = 1280; LEFT = 40; FULL = 1000 # a bar of that length is the limit
    while ((getline line < rungs) > 0) {
        split(line, cell, "\t")
        sentence[cell[1], cell[2]] = cell[4]
    }
    while ((getline line < titles) > 0) {
        split(line, cell, "\t")
        title[cell[1]] = cell[2]
    }
}

{
    read_row()
    if (!(task in first)) {
        tasks[++task_count] = task
        first[task] = NR
        slowest[task] = rate_of_row()
    }
    row[NR] = $0
    rungs_of[task]++
}

function text_at(x, y, class, text)
{
    printf "  <text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n", class, x, y, for_xml(text)
}

# A wrong program has no time.
function has_time() { return is_timed() && verdict ~ /^(PASS|TOO SLOW|INEFFICIENT|INCONCLUSIVE)$/ }

function label(before)
{
    if (!has_time())
        return verdict
    return (about ? "about " : "") duration(shown_ns) \
        (gb_s > 0 ? " · " digits(gb_s) " GB/s" : "") " · " \
        (kind == "baseline" ? "speed-up " digits(speed_up) \
        : share_text() (kind == "overlap" ? " hidden" : "")) \
        (before > 0 ? " · " digits(rate_of_row() / before) " × before" : "")
}

function what_the_line_is()
{
    if (kind == "bandwidth")
        return limit ": " digits(limit_gb_s) " GB/s"
    return kind == "baseline" ? "the time of the first" : limit
}

# Draws one rung with its top at y; its bar is under its name, its sentence under the bar.
function draw_rung(y, before,    bar, colour)
{
    colour = verdict == "PASS" ? "#2563eb" : verdict ~ /^(TOO SLOW|INEFFICIENT)$/ ? "#94a3b8" : "#dc2626"
    bar = bar_of_row(slowest[task])
    bar = has_time() ? FULL * (bar > 1.15 ? 1.15 : bar) : 0
    text_at(LEFT, y + 28, "name", name_of(file))
    text_at(LEFT + 430, y + 28, "value", label(before))
    printf "  <rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"34\" fill=\"%s\"/>\n",
        LEFT, y + 40, has_time() && bar < 2 ? 2 : bar, colour
    text_at(LEFT, y + 102, "sentence", sentence[file, task])
}

# Behind the rungs of a ladder, the first of which has its top at y.
function draw_limit(id, y)
{
    $0 = row[first[id]]
    read_row()
    if (what_the_line_is() == "")
        return
    printf "  <path class=\"limit\" d=\"M%d %d V%d\"/>\n", LEFT + FULL, y + 4, y + RUNG * rungs_of[id] - 30
    text_at(LEFT + FULL, y - 4, "at_limit", what_the_line_is())
}

function draw_ladder(id, y,    k, top, before)
{
    text_at(LEFT, y + 44, "title", id "  " title[id])
    draw_limit(id, y + 78)
    top = y + 78
    for (k = first[id]; k in row; k++) {
        $0 = row[k]
        read_row()
        if (task != id)
            break
        shown_ns = time_of_row(k == first[id])
        y = top + RUNG * (k - first[id])
        draw_rung(y, before)
        before = rate_of_row()
    }
    return y + RUNG
}

END {
    RUNG = 124
    height = 78 * task_count + RUNG * NR + 60
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n",
        WIDTH, height, WIDTH, height
    print "  <style>\n    text { font-family: sans-serif; fill: #1f2328; stroke: #ffffff; stroke-width: 8; paint-order: stroke; }"
    print "    .title { font-size: 36px; font-weight: bold; }\n    .name { font-size: 28px; font-weight: bold; }"
    print "    .value { font-size: 28px; }\n    .sentence { font-size: 22px; fill: #57606a; }"
    print "    .at_limit { font-size: 22px; text-anchor: middle; fill: #b45309; }"
    print "    .limit { stroke: #b45309; stroke-width: 4; stroke-dasharray: 12 6; fill: none; }\n  </style>"
    printf "  <rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", WIDTH, height
    y = 0
    for (t = 1; t <= task_count; t++)
        y = draw_ladder(tasks[t], y)
    text_at(LEFT, height - 24, "sentence", machine_of(heading) (is_modelled(heading) ? ": times are modelled" : ""))
    print "</svg>"
}
