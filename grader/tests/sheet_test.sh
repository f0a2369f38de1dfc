#!/usr/bin/env bash
# make sheet: what is on the two pages and on the key, for every homework that has a ladder.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh
# shellcheck source=grader/tests/homeworks.sh
. grader/tests/homeworks.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset TASK FILE CASE RUN STEP PLOT RECORD REPLAY MAKEFLAGS MAKELEVEL
export BUILD=$scratch/build SOLUTIONS=$scratch/solutions

# A record of an H200 with a row for each rung: the n-th takes 100 µs / n.
made_up_record() {
    printf '# NVIDIA H200, driver 580.0, CUDA 13.0, 2026-11-30, measured\n# file\ttask\n'
    sed 1d "$1" | awk -F '\t' -v OFS='\t' '{ n = $2 == task ? n + 1 : 1; task = $2
        print $1, $2, "PASS", 100000 / n, 1e8, 0.1 * n, n, 0.5, "bandwidth", "read bandwidth", 1000, "b", "-" }'
}

# has FILE TEXT…
has() {
    local file=$1 text
    shift
    for text in "$@"; do
        grep -qF -- "$text" "$file" || { echo "no \"$text\"" && return 1; }
    done
}
lacks() { ! grep -nF -- "$2" "$1"; }
count_is() { [ "$(grep -oF -- "$2" "$1" | wc -l)" -eq "$3" ] || { grep -oF -- "$2" "$1" | wc -l && return 1; }; }

# Tags that are opened are closed.
is_balanced() {
    local tag
    for tag in table tr td th p div h1 h2 code b i pre; do
        [ "$(grep -oE "<${tag}[ >]" "$1" | wc -l)" -eq "$(grep -o "</$tag>" "$1" | wc -l)" ] ||
            { echo "<$tag>" && return 1; }
    done
}

# pages FILE: of the print, if a browser is here.
pages() {
    timeout 60 chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer \
        --print-to-pdf="$scratch/page.pdf" "file://$1" > /dev/null 2>&1
    grep -a -o '/Type /Pages*' "$scratch/page.pdf" | grep -cx '/Type /Page'
}
prints_on() { [ "$(pages "$1")" -eq "$2" ] || { echo "$(pages "$1") pages" && return 1; }; }

for homework in $(chosen_homeworks); do
    ladder=solutions/$homework/ladder.tsv
    [ -e "$ladder" ] || continue
    mkdir -p "$SOLUTIONS/$homework"
    cp "$ladder" "$SOLUTIONS/$homework/ladder.tsv"
    made_up_record "$ladder" > "$SOLUTIONS/$homework/h200.tsv"
    check "$homework: sheet and key" grader/tools/sheet.sh "$homework"
    sheet=$BUILD/sheets/$homework.html key=$BUILD/sheets/${homework}_key.html
    rungs=$(sed 1d "$ladder" | wc -l)
    figures=$(grep -c '^!\[.*\.svg)' "$homework/README.md" || true)
    check "$homework: tags are closed" is_balanced "$sheet"
    check "$homework: a row to fill in for each rung" count_is "$sheet" "<td></td><td></td><td></td><td></td><td></td>" "$rungs"
    check "$homework: the figures are inside" count_is "$sheet" "data:image/svg+xml;base64," "$figures"
    check "$homework: title and contract" has "$sheet" "<h1>$(sed -n '1s/# //p' "$homework/README.md")</h1>" \
        "<h2>The contract</h2>" "<th>function</th>" "size: A4"
    check "$homework: no Markdown is left over" bash -c "! grep -v 'data:image' '$sheet' | grep -n '\`\|](\|\*\*'"
    check "$homework: the students' pages tell no reason" lacks "$sheet" "$(sed -n '3p' "$ladder" | cut -f 4)"
    check "$homework: the key has device and times" has "$key" "NVIDIA H200, driver 580.0, CUDA 13.0, 2026-11-30." \
        "<td>100 µs</td>" "<td>50.0 µs</td>" "<td>2.00 ×</td>" "<td>1,000</td>"
    check "$homework: the key has a row for each rung" count_is "$key" "<tr><td>" "$rungs"
    check "$homework: the key's tags are closed" is_balanced "$key"
    if command -v chromium > /dev/null; then
        check "$homework: two pages when printed" prints_on "$sheet" 2
    else
        skip "$homework: two pages when printed" "there is no chromium"
    fi
done

# A homework without pictures: the example that one copies.
tree=$scratch/tree
mkdir -p "$tree"
ln -s "$PWD/grader" "$tree/grader"
cp -r grader/example/hw9_histogram "$tree/"
mkdir -p "$SOLUTIONS/hw9_histogram"
printf '# file\ttask\tverdict\tsentence\nhw9_histogram/baseline.cu\thw9.1\tPASS\tthe start\n' \
    > "$SOLUTIONS/hw9_histogram/ladder.tsv"
made_up_record "$SOLUTIONS/hw9_histogram/ladder.tsv" > "$SOLUTIONS/hw9_histogram/h200.tsv"
sheet_without_pictures() {
    local complaints
    complaints=$(cd "$tree" && grader/tools/sheet.sh hw9_histogram 2>&1 > /dev/null)
    [ -z "$complaints" ] || { echo "$complaints" && return 1; }
}
check "a homework without pictures has a sheet, too" sheet_without_pictures
check "of which no length is left out" grep -q 'max-height: [1-9][0-9]*mm' "$BUILD/sheets/hw9_histogram.html"

# Without a record the key is modelled, and says so.
homework=hw4_reduction
rm "$SOLUTIONS/$homework/h200.tsv"
printf '# file\ttask\tverdict\tsentence\n%s/baseline.cu\thw4.2\tTOO SLOW\ta < b & c\n' "$homework" \
    > "$SOLUTIONS/$homework/ladder.tsv"
mkdir -p "$BUILD/$homework"
cat > "$BUILD/$homework/grader" << 'END'
#!/usr/bin/env bash
for option in "$@"; do [[ $option != --results=* ]] || results=${option#*=}; done
echo "$*" > "$BUILD/options"
printf '{"time":"2026-11-30T","task":"hw4.2","verdict":"TOO SLOW","device":"Virtual GPU","device_kind":"virtual","toolkit":"13.0","speed":{"gate":0.75,"share":0.5,"speed_up":1,"candidate_ns":2e5,"limit":250,"bytes":1e6,"limit_kind":"bandwidth","limit_name":"l","baseline_name":"b"},"counters":null,"hint_level_used":0}\n' > "$results"
END
chmod +x "$BUILD/$homework/grader"
check "a sheet without a record" grader/tools/sheet.sh "$homework"
key=$BUILD/sheets/${homework}_key.html
check "is modelled on the virtual GPU" grep -q -- '--device=virtual' "$BUILD/options"
check "and says so" has "$key" "Virtual GPU" "MODELLED times, not measured" "<td>200 µs</td>"
check "sentences are escaped" has "$key" "a &lt; b &amp; c"
printf '#!/bin/sh\necho the grader fell over\nexit 3\n' > "$BUILD/$homework/grader"
rm -f "$BUILD/sheets/$homework.tsv"
if output=$(grader/tools/sheet.sh "$homework" 2>&1); then
    not_ok "a grader that fails is no key" "$output"
else
    check "a grader that fails is no key" grep -q "the grader fell over" <<< "$output"
fi
for words in "" hw1_nothing; do
    if output=$(grader/tools/sheet.sh "$words" 2>&1); then
        not_ok "\"$words\" is refused" "$output"
    else
        check "\"$words\" is refused, with those there are" grep -q "make sheet HW=4" <<< "$output"
    fi
done

finish
