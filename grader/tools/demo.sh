#!/usr/bin/env bash
# The ladder of a homework, rung by rung, for the class: demo.sh HOMEWORK
#
# Reads TASK (one ladder), STEP=1 (waits for Enter before each rung but the first; the end of the input
# goes on), PLOT=FILE.svg, RECORD=FILE (the rows, as ladder.sh describes them), REPLAY=NAME (draws
# SOLUTIONS/HOMEWORK/NAME.tsv instead of running), and what rung.sh reads. The Makefile has built the
# rungs. Exit code: 0 every rung is as the ladder says, 1 one is not, 2 a wrong word or a file that
# cannot be written, 75 one was too noisy, 77 no device.
set -euo pipefail
# shellcheck source=grader/tools/ladder.sh
. grader/tools/ladder.sh

homework=${1:-}
build=${BUILD:-build}
tools=grader/tools
number=

require_ladder demo "$homework" "${TASK:-}"
task=$(task_id "$homework" "${TASK:-}")
number=$(number_of "$homework")
folder=$build/demo/$homework
rungs=$folder/ladder.tsv
now=$folder/rows.tsv # of this run
record=
heading=

colour=0 columns=80
if [ -t 1 ]; then
    [ -n "${NO_COLOR:-}" ] || colour=1
    columns=${COLUMNS:-$(tput cols 2> /dev/null || echo 80)}
    [ "$columns" -ge 80 ] || columns=80
    [ "$columns" -le 120 ] || columns=120
fi

# can_write VARIABLE FILE: before anything runs.
can_write() {
    [ -n "$2" ] || return 0
    { : >> "$2"; } 2> /dev/null ||
        refuse "$1=$2: that cannot be written. Is the folder there, and is it yours?"
}

check_words() {
    case ${STEP:-0} in
    0 | 1) ;;
    *) refuse "STEP=$STEP: it is 1, to wait for Enter between the rungs, or 0." ;;
    esac
    case ${DEVICE:-auto} in
    auto | gpu | virtual) ;;
    *) refuse "DEVICE=$DEVICE: it is auto, gpu or virtual." ;;
    esac
    if [ -n "${SEED:-}" ] && ! [[ $SEED =~ ^[0-9a-fA-F]{1,16}$ ]]; then
        refuse "SEED=$SEED: a hexadecimal number of at most 16 digits is meant: SEED=7f3a"
    fi
    if [ -n "${REPLAY:-}" ]; then
        [ -z "${RECORD:-}" ] || refuse "RECORD= keeps a run, and REPLAY= runs nothing: one of them."
        find_record
    fi
    can_write PLOT "${PLOT:-}"
    can_write RECORD "${RECORD:-}"
}

find_record() {
    local other there=()
    record=$solutions/$homework/$REPLAY.tsv
    for other in "$solutions/$homework"/*.tsv; do
        [ "${other##*/}" = ladder.tsv ] || [ ! -e "$other" ] ||
            there+=("  make demo HW=$number REPLAY=$(basename "$other" .tsv)")
    done
    if [ "$REPLAY" = ladder ] || [ ! -e "$record" ]; then
        refuse "REPLAY=$REPLAY: there is no record of such a run ($record)." \
            "${there[@]:-make demo HW=$number RECORD=$record makes one, on the machine where it runs.}"
    fi
    heading=$(head -n 1 "$record")
    [[ $heading =~ ^'# '.*', '(measured|modelled)$ ]] ||
        refuse "REPLAY=$REPLAY: $record does not begin with its device, as RECORD= writes it."
}

# pause NAME: Enter, or the end of the input, goes on.
pause() {
    [ "${STEP:-0}" = 1 ] || return 0
    if [ -t 0 ] && [ -t 1 ]; then
        printf '   … next: %s. Predict, then press Enter.' "$1"
    fi
    read -r _ || [ ! -t 1 ] || echo
    if [ -t 0 ] && [ -t 1 ]; then
        printf '\033[A\r\033[K' # Enter has moved on to the next line
    fi
}

# Prints the row of a rung, run now or recorded; sets nothing, so that it can run in $( ).
row_of() {
    local file=$1 id=$2 name=$3
    if [ -n "$record" ]; then
        head -n 1 "$record"
        awk -F '\t' -v file="$file" -v task="$id" '$1 == file && $2 == task { print; exit }' "$record"
        return
    fi
    "$tools/rung.sh" "$homework" "$file" "$id" "$folder/$name.jsonl"
}

# The grader's own words on a rung that is wrong.
why() {
    local text=$folder/$1.txt
    [ -z "$record" ] || return 0
    if grep -q '^DOES NOT COMPILE' "$text"; then
        sed -n '/error/p' "$text" | head -n 3
    else
        sed -n '/^FAIL/,/^$/p' "$text" | sed -n '2,6p'
    fi | cut -c 1-77 | sed 's/^ */   /'
}

draw() {
    LC_ALL=C awk -v heading="$heading" -v title="$(task_title "$homework" "$1")" \
        -v columns="$columns" -v colour="$colour" -v rungs="$rungs" -v from="$2" \
        -f "$tools/rows.awk" -f "$tools/rung_lines.awk" "$folder/$1.tsv"
}

# run_rung FILE TASK VERDICT: its row joins those of its ladder, and is drawn.
run_rung() {
    local file=$1 id=$2 name row verdict code=0 rows=$folder/$2.tsv
    name=$(rung_name "$file").$id
    [ ! -t 1 ] || printf '   … %s\r' "$(rung_title "$file")"
    row=$(row_of "$file" "$id" "$name") || code=$?
    [ ! -t 1 ] || printf '\033[K'
    [ "$code" -eq 0 ] || exit "$code"
    if [ "$(wc -l <<< "$row")" -lt 2 ]; then
        echo "   $(rung_name "$file"): $record has no row of it; RECORD= makes the record anew." >&2
        seen[1]=1
        return
    fi
    # A file that does not compile has met no device.
    [[ ${heading:-#, } != '# , '* && -n $heading ]] || heading=$(head -n 1 <<< "$row")
    sed 1d <<< "$row" >> "$rows"
    draw "$id" "$(wc -l < "$rows")"
    verdict=$(tail -n 1 "$rows" | cut -f 3)
    case $verdict in
    "CANNOT GRADE") sed -n '2,$p' "$folder/$name.txt" && exit 77 ;;
    PASS | "TOO SLOW" | INEFFICIENT) ;;
    INCONCLUSIVE) seen[75]=1 ;;
    *) why "$name" ;;
    esac
    as_expected "$verdict" "$3" || seen[1]=1
}

# as_expected VERDICT LADDER'S: "GPU/VIRTUAL" where the two differ.
as_expected() {
    local wanted=$2
    if [[ $heading = *modelled ]]; then wanted=${2#*/}; else wanted=${2%/*}; fi
    [ "$1" = "$wanted" ] || [ "$1" = INCONCLUSIVE ]
}

declare -A seen=()
check_words
require_folder demo "$folder"
rm -f "$folder"/*
ladder_rows "$homework" "$task" > "$rungs"
started=
while IFS=$'\t' read -r file id verdict _ <&3; do
    if [ -n "$started" ]; then
        [ "$started" = "$id" ] || echo
        pause "$(rung_title "$file")"
    fi
    run_rung "$file" "$id" "$verdict"
    started=$id
done 3< "$rungs"

{
    echo "$heading"
    echo "# $row_columns"
    while IFS= read -r id; do
        [ ! -e "$folder/$id.tsv" ] || cat "$folder/$id.tsv"
    done < <(cut -f 2 "$rungs" | uniq)
} > "$now"

# What the run leaves is written at its end: an interrupted run spoils nothing.
if [ -n "${PLOT:-}" ]; then
    while IFS= read -r id; do
        printf '%s\t%s\n' "$id" "$(task_title "$homework" "$id")"
    done < <(cut -f 2 "$rungs" | uniq) > "$folder/titles"
    grep -v '^#' "$now" | LC_ALL=C awk -v heading="$heading" -v titles="$folder/titles" \
        -v rungs="$rungs" -f "$tools/rows.awk" -f "$tools/rung_plot.awk" > "$PLOT"
    printf '\n%s: the picture\n' "$PLOT"
fi
if [ -n "${RECORD:-}" ]; then
    cp "$now" "$RECORD"
    printf '\n%s: the record\n' "$RECORD"
fi
for code in 1 75; do
    [ -z "${seen[$code]:-}" ] || exit "$code"
done
