#!/usr/bin/env bash
# Every ladder is well formed: its files and tasks exist, it ends with the reference (or with one rung that
# goes further), its sentences fit a line, and every rung is on one. What each rung gets is for verdicts_test.sh.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh
# shellcheck source=grader/tests/homeworks.sh
. grader/tests/homeworks.sh

sentence_columns=70
shortest=4 # rungs of a homework's longest ladder

# Prints what is wrong with the file; nothing if it is as it should be.
complaints_of_rows() {
    local ladder=$1 homework=$2 topic
    topic=$(topic_of "$homework")
    [ "$(head -n 1 "$ladder")" = "$(printf '# file\ttask\tverdict\tsentence')" ] ||
        echo "the first line does not name the columns"
    LC_ALL=C awk -F '\t' -v most="$sentence_columns" -v reference="$homework/${topic}_solution.cu" '
        NR == 1 { next }
        NF != 4 { print "line " NR ": " NF " columns, not 4"; next }
        $2 != task && seen[$2]++ { print "line " NR ": the ladder of " $2 " is in two pieces" }
        task != "" && $2 != task && last != reference && one_before != reference { print task ": it ends with " last }
        ($1, $2) in rung { print "line " NR ": " $1 " is there twice" }
        { one_before = $2 == task ? last : ""; rung[$1, $2] = 1; task = $2; last = $1; text = $4 }
        text == "" || text ~ /^ | $/ { print "line " NR ": no sentence, or blanks around it" }
        { gsub(/[\200-\277]/, "", text) }
        length(text) > most { print "line " NR ": the sentence has " length(text) " columns" }
        END { if (last != reference && one_before != reference) print task ": it ends with " last }' "$ladder"
}

complaints_of_words() {
    local ladder=$1 homework=$2 file task verdict
    while IFS=$'\t' read -r file task verdict _; do
        case $file in
        "solutions/$homework/"*.cu | "$homework/baseline.cu" | "$homework/"*_solution.cu) ;;
        *) echo "$file: not a rung, baseline or reference of $homework" ;;
        esac
        [ -e "$file" ] || echo "$file does not exist"
        task_ids "$homework" | grep -qxF -- "$task" || echo "$homework has no task $task"
        case $verdict in
        PASS | "TOO SLOW" | INEFFICIENT) ;;
        "TOO SLOW/PASS" | "PASS/TOO SLOW" | "TOO SLOW/INEFFICIENT" | "INEFFICIENT/TOO SLOW") ;;
        *) echo "$file: a right program gets no $verdict" ;;
        esac
    done < <(sed 1d "$ladder")
}

well_formed() {
    local text
    text=$(complaints_of_rows "$1" "$2" && complaints_of_words "$1" "$2")
    [ -z "$text" ] || { echo "$text" && return 1; }
}

on_a_ladder() { cut -f 1 "$1" | grep -qxF -- "$2" || { echo "not in $1" && return 1; }; }

# A rung is named by its technique, says what it is, and marks what is typed in its tasks alone.
is_a_rung() {
    local file=$1 ladder=$2 tasks marked
    [[ $(basename "$file") =~ ^[a-z][a-z0-9_]*\.cu$ ]] || { echo "its name" && return 1; }
    [[ $(head -n 1 "$file") = '// '* ]] || { echo "no comment above" && return 1; }
    tasks=$(awk -F '\t' -v file="$file" '$1 == file { print $2 }' "$ladder" | sort -u)
    marked=$(grep -oE 'SOLVED\(hw[0-9.]+\)' "$file" | grep -oE 'hw[0-9.]+' | sort -u) || true
    [ "$tasks" = "$marked" ] || { echo "SOLVED: ${marked:-none}; on the ladders of $tasks" && return 1; }
    marked=$(grep -oE 'END\(hw[0-9.]+\)' "$file" | grep -oE 'hw[0-9.]+' | sort -u) || true
    [ "$tasks" = "$marked" ] || { echo "END: ${marked:-none}; on the ladders of $tasks" && return 1; }
    grep -q 'return cudaErrorNotYetImplemented;' "$file" || { echo "no other task is left out" && return 1; }
}

# The recorded run of an H200 has every rung, with the verdict that the ladder gives for a GPU.
is_recorded() {
    local record=$1 ladder=$2 text
    [[ $(head -n 1 "$record") =~ ^\#\ NVIDIA\ H200.*,\ driver\ .*,\ CUDA\ .*,\ measured$ ]] ||
        { head -n 1 "$record" && return 1; }
    text=$(awk -F '\t' '
        /^#/          { next }
        FNR == NR     { verdict[$1, $2] = $3; next }
        { wanted = $3; sub(/\/.*/, "", wanted) }
        !(($1, $2) in verdict)        { print $1 ", " $2 ": not recorded"; next }
        verdict[$1, $2] != wanted     { print $1 ", " $2 ": recorded " verdict[$1, $2] ", the ladder says " wanted }' \
        "$record" "$ladder")
    [ -z "$text" ] || { echo "$text" && return 1; }
}

long_enough() {
    local rungs
    rungs=$(sed 1d "$1" | cut -f 2 | uniq -c | sort -n | awk 'END { print $1 + 0 }')
    [ "$rungs" -ge "$shortest" ] || { echo "the longest has $rungs rungs" && return 1; }
}

one_is_timed() {
    local task
    for task in $(sed 1d "$1" | cut -f 2 | uniq); do
        if sed -n "/\.id = \"$task\"/,/^    }/p" "$2/grader.c" | grep -q '\.speed = '; then return; fi
    done
    echo "none of its tasks is timed"
    return 1
}

for homework in $(chosen_homeworks); do
    ladder=solutions/$homework/ladder.tsv
    if [ ! -e "$ladder" ]; then
        not_ok "$homework has a ladder" "no $ladder"
        continue
    fi
    check "$ladder is well formed" well_formed "$ladder" "$homework"
    check "$homework: one ladder has $shortest rungs or more" long_enough "$ladder"
    check "$homework: one ladder is of a timed task" one_is_timed "$ladder" "$homework"
    record=solutions/$homework/h200.tsv
    if [ -e "$record" ]; then
        check "$record has every rung" is_recorded "$record" "$ladder"
    else
        skip "$record has every rung" "not recorded: make demo HW=${homework%%_*} RECORD=$record on an H200"
    fi
    for file in $(rungs "$homework"); do
        check "$file is on a ladder" on_a_ladder "$ladder" "$file"
        check "$file is a rung" is_a_rung "$file" "$ladder"
    done
done

# These checks can fail.
if [ -z "${HW:-}" ]; then
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    # refuses WHAT SED-SCRIPT: a ladder changed so is complained about.
    refuses() {
        sed "$2" solutions/hw4_reduction/ladder.tsv > "$scratch/ladder.tsv"
        if well_formed "$scratch/ladder.tsv" hw4_reduction > /dev/null; then
            not_ok "$1 is seen"
        else
            ok "$1 is seen"
        fi
    }
    refuses "a ladder without the reference" "\$d"
    refuses "a file that there is not" '2s/\.cu/x.cu/'
    refuses "a task that there is not" 's/hw4\.2/hw4.9/'
    refuses "a long sentence" '2s/$/ and so on and so on and so on and so on and so on/'
    refuses "a verdict of a wrong program" '2s/TOO SLOW/WRONG ANSWER/'
    refuses "blanks instead of tabs" '2s/\t/ /g'
    refuses "a ladder in two pieces" "2{h;d};\$G"

    printf '# NVIDIA H200, driver 580.0, CUDA 13.0, 2026-11-30, measured\n' > "$scratch/h200.tsv"
    sed '1d; s,TOO SLOW/PASS,TOO SLOW,' solutions/hw4_reduction/ladder.tsv >> "$scratch/h200.tsv"
    check "a record with every rung" is_recorded "$scratch/h200.tsv" solutions/hw4_reduction/ladder.tsv
    for change in '1s/measured/modelled/' '3d' '3s/TOO SLOW/PASS/'; do
        sed "$change" "$scratch/h200.tsv" > "$scratch/changed.tsv"
        if is_recorded "$scratch/changed.tsv" solutions/hw4_reduction/ladder.tsv > /dev/null; then
            not_ok "a record changed by $change is seen"
        else
            ok "a record changed by $change is seen"
        fi
    done
fi
finish
