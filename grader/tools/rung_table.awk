# The rungs of ladders as tables in HTML, after rows.awk. Standard input: rows of ladder.tsv.
# Variables: filled, 1 for the key or 0 for a table to fill in; record, the file of recorded rows;
# titles, a file of "task TAB title"; heading, of the record.
BEGIN {
    FS = "\t"
    while ((getline line < titles) > 0) {
        split(line, cell, "\t")
        title[cell[1]] = cell[2]
    }
    while ((getline line < record) > 0) {
        split(line, cell, "\t")
        recorded[cell[1], cell[2]] = line
    }
}

function cells(tag, a, b, c, d, e, f)
{
    printf "<tr><%s>%s</%s><%s>%s</%s><%s>%s</%s><%s>%s</%s><%s>%s</%s><%s>%s</%s></tr>\n",
        tag, a, tag, tag, b, tag, tag, c, tag, tag, d, tag, tag, e, tag, tag, f, tag
}

function begin_table(    share)
{
    if (open)
        print "</table>"
    open = 1
    print "<h2>" task "&ensp;" for_xml(title[task]) "</h2>"
    share = kind == "overlap" ? "hidden" : kind == "baseline" ? "speed-up" : "of limit"
    print "<table class=\"" (filled ? "key" : "empty") "\">"
    if (filled)
        cells("th", "rung", "time", "GB/s", share, "× before", "why")
    else
        cells("th", "rung", "I predict ×", "time", share, "× before", "because")
}

{
    file = ladder_file = $1
    task = $2
    why = $4
    name = name_of(file)
    gsub(/_/, " ", name)
    known = (file, task) in recorded
    if (known) {
        $0 = recorded[file, task]
        read_row()
    } else
        kind = ""
    shown_ns = known ? time_of_row(task != last_task) : 0
    if (task != last_task) {
        begin_table()
        before = 0
        last_task = task
    }
    if (!filled)
        cells("td", name, "", "", "", "", "")
    else if (!known)
        cells("td", name, "not recorded", "", "", "", for_xml(why))
    else if (!is_timed())
        cells("td", name, verdict, "", "", "", for_xml(why))
    else
        cells("td", name, (about ? "about " : "") duration(shown_ns), gb_s > 0 ? digits(gb_s) : "–",
            kind == "baseline" ? digits(speed_up) " ×" : share_text(),
            before > 0 ? digits(rate_of_row() / before) " ×" : "", for_xml(why))
    before = known ? rate_of_row() : 0
}

END { if (open) print "</table>" }
