# The Markdown of a homework's README as HTML: paragraphs, tables, numbered lists, indented code,
# `code`, **bold**, *italics*; of a link its text. Pictures are left out.
function inline(text,    out, code, start, width)
{
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    while (match(text, /\[[^\]]*\]\([^)]*\)/)) {
        out = substr(text, RSTART + 1, RLENGTH - 2)
        sub(/\].*/, "", out)
        text = substr(text, 1, RSTART - 1) out substr(text, RSTART + RLENGTH)
    }
    out = ""
    while (match(text, /`[^`]*`/)) { # what is in code has no other marks
        start = RSTART
        width = RLENGTH
        code = substr(text, start + 1, width - 2)
        out = out marks(substr(text, 1, start - 1)) "<code>" code "</code>"
        text = substr(text, start + width)
    }
    return out marks(text)
}

function marks(text)
{
    text = paired(text, "\\*\\*", "b", 2)
    return paired(text, "\\*", "i", 1)
}

function paired(text, mark, tag, width)
{
    while (match(text, mark "[^* ][^*]*" mark))
        text = substr(text, 1, RSTART - 1) "<" tag ">" \
            substr(text, RSTART + width, RLENGTH - 2 * width) "</" tag ">" substr(text, RSTART + RLENGTH)
    return text
}

function close_block()
{
    if (block == "p") print "<p>" inline(gathered) "</p>"
    if (block == "li") print "<li>" inline(gathered) "</li>"
    if (block == "table") print "</table>"
    if (block == "pre") print "</pre>"
    block = gathered = ""
}

function table_row(line, tag,    count, cell, k)
{
    gsub(/^\| *| *\| *$/, "", line)
    gsub(/\\\|/, "\001", line)
    count = split(line, cell, / *\| */)
    printf "<tr>"
    for (k = 1; k <= count; k++) {
        gsub(/\001/, "|", cell[k])
        printf "<%s>%s</%s>", tag, inline(cell[k]), tag
    }
    print "</tr>"
}

/^!\[/             { close_block(); next }
/^[ \t]*$/         { close_block(); next }
/^\|[-| :]*\|$/    { next }
/^\|/ {
    if (block != "table") {
        close_block()
        block = "table"
        print "<table>"
        table_row($0, "th")
    } else
        table_row($0, "td")
    next
}
/^    / && block != "p" && block != "li" {
    if (block != "pre") {
        close_block()
        block = "pre"
        printf "<pre>"
    }
    line = substr($0, 5)
    gsub(/&/, "\\&amp;", line)
    gsub(/</, "\\&lt;", line)
    print line
    next
}
/^([0-9]+\.|[-*]) / { close_block(); block = "li"; sub(/^[^ ]* +/, ""); gathered = $0; next }
{
    if (block != "p" && block != "li") {
        close_block()
        block = "p"
    }
    sub(/^ +/, "")
    gathered = gathered (gathered == "" ? "" : " ") $0
}
END { close_block() }
