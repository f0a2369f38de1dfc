#!/usr/bin/env bash
# Two pages to print for a homework, and a key: sheet.sh HOMEWORK
#
# Page 1: goal, figures and contract, from the README. Page 2: a table to predict in, a row for each
# rung of its ladders. The key: what an H200 did, from SOLUTIONS/HOMEWORK/h200.tsv; where that is not
# recorded, the modelled times of the virtual GPU, and it says so. Writes BUILD/sheets/HOMEWORK.html and
# HOMEWORK_key.html, for A4. Exit code: 0, or 2 with a sentence.
set -euo pipefail
# shellcheck source=grader/tools/ladder.sh
. grader/tools/ladder.sh

homework=${1:-}
build=${BUILD:-build}
tools=grader/tools
folder=$build/sheets
export LC_ALL=C

require_ladder sheet "$homework" "${TASK:-}"
task=$(task_id "$homework" "${TASK:-}")
readme=$homework/README.md
record=$solutions/$homework/h200.tsv
titles=$folder/$homework.titles
rows=$(ladder_rows "$homework" "$task" | wc -l)
tables=$(ladder_rows "$homework" "$task" | cut -f 2 | uniq | wc -l)

# section NAME: what stands under "## NAME" in the README.
section() { sed -n "/^## $1\$/,/^## /p" "$readme" | sed '/^## /d'; }

figures() {
    local file
    { grep -o '(\([a-z0-9_]*\.svg\))' "$readme" || true; } | tr -d '()' | while IFS= read -r file; do
        printf '<img alt="" src="data:image/svg+xml;base64,%s">\n' "$(base64 -w 0 "$homework/$file")"
    done
}

modelled_rows() {
    local code=0
    record=$folder/$homework.tsv
    echo "There is no record of an H200 yet: the ladder runs on the virtual GPU for the key …"
    env -u PLOT -u REPLAY -u STEP DEVICE=virtual RECORD="$record" grader/tools/demo.sh "$homework" \
        > "$folder/$homework.log" 2>&1 < /dev/null || code=$?
    [ -s "$record" ] || refuse "$(tail -n 3 "$folder/$homework.log")"
    [ "$code" -eq 0 ] || echo "A rung is not as its ladder says: make demo HW=$(number_of "$homework") DEVICE=virtual"
}

# The rows of a table grow with the room that is left on page 2.
row_mm() {
    local mm=$(( (228 - 20 * tables) / rows ))
    echo $(( mm > 16 ? 16 : mm < 6 ? 6 : mm ))
}

begin_page() {
    cat << END
<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>$1</title>
<style>
:root { color-scheme: light; }
@page { size: A4; margin: 14mm 16mm; }
body { font: 10pt/1.35 sans-serif; color: #1f2328; background: #ffffff; max-width: 178mm; margin: 0 auto; }
h1 { font-size: 17pt; margin: 0 0 2mm; }
h2 { font-size: 12pt; margin: 4mm 0 1.5mm; }
p { margin: 0 0 2mm; }
code, pre { font: 9pt monospace; }
pre { margin: 0 0 2mm; }
table { border-collapse: collapse; width: 100%; margin-bottom: 2mm; }
th { white-space: nowrap; }
th, td { border: 0.3mm solid #8b949e; padding: 0.6mm 1.5mm; text-align: left; vertical-align: top; }
th { background: #eaeef2; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.figures { display: flex; flex-wrap: wrap; gap: 3mm; justify-content: center; margin: 2mm 0; }
.figures img { max-width: 100%; max-height: ${2}mm; }
.predict { break-before: page; }
.contract { font-size: 9.5pt; }
.empty td { height: $(row_mm)mm; box-sizing: border-box; vertical-align: middle; padding: 0 1.5mm; }
.empty td:first-child { width: 40mm; }
.empty th:nth-child(2) { width: 22mm; }
.empty th:nth-child(3), .empty th:nth-child(4), .empty th:nth-child(5) { width: 17mm; }
.key td:nth-child(2), .key td:nth-child(3), .key td:nth-child(4), .key td:nth-child(5) { text-align: right; white-space: nowrap; }
.note { color: #57606a; font-size: 9pt; }
</style>
END
}

# tables_of FILLED HEADING
tables_of() {
    ladder_rows "$homework" "$task" | awk -v filled="$1" -v heading="$2" -v record="$record" \
        -v titles="$titles" -f "$tools/rows.awk" -f "$tools/rung_table.awk"
}

title() { sed -n '1s/^# *//p' "$readme"; }

# What the contract leaves of page 1; several figures share it.
figure_mm() {
    local lines count mm
    lines=$(section "The contract" | grep -c .)
    count=$(figures | wc -l)
    mm=$(( 220 - 6 * lines ))
    mm=$(( mm > 95 + 50 * (count > 1) ? 95 + 50 * (count > 1) : mm < 40 ? 40 : mm ))
    echo $(( mm / (count > 1 ? count : 1) ))
}

students_pages() {
    begin_page "$(title)" "$(figure_mm)"
    echo "<h1>$(title)</h1>"
    section Goal | sed '1{/^$/d}; /^$/,$d' | awk -f "$tools/markdown.awk"
    echo "<div class=\"figures\">"
    figures
    echo "</div>"
    echo "<div class=\"contract\"><h2>The contract</h2>"
    section "The contract" | awk -f "$tools/markdown.awk"
    echo "</div>"
    echo "<div class=\"predict\"><h1>Predict, then measure</h1>"
    echo "<p>Each rung does the same work as the one above it. Write down how many times as fast you" \
        "expect it to be, and because of what, before it runs." \
        "<br>Name: ______________________ &emsp; Device: ______________________</p>"
    tables_of 0 ""
    echo "</div>"
}

key_page() {
    local heading
    heading=$(head -n 1 "$record" | sed 's/^# *//; s/, measured$//; s/, modelled$/. MODELLED times, not measured/')
    begin_page "$(title): the key" 90
    echo "<h1>$(title): the key</h1>"
    echo "<p>$heading.</p>"
    tables_of 1 "$(head -n 1 "$record")"
    echo "<p class=\"note\">Times of one call, for the problem of the first rung. What another device does differs; what is faster than what, seldom.</p>"
}

require_folder sheet "$folder"
[ -e "$record" ] || modelled_rows
ladder_tasks "$homework" | while IFS= read -r id; do
    printf '%s\t%s\n' "$id" "$(task_title "$homework" "$id")"
done > "$titles"
students_pages > "$folder/$homework.html.new"
key_page > "$folder/${homework}_key.html.new"
for page in "$folder/$homework.html" "$folder/${homework}_key.html"; do
    mv "$page.new" "$page"
done
rm "$titles"
printf '%s\n' "$folder/$homework.html: two pages, for students" "$folder/${homework}_key.html: the key"
