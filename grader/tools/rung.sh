#!/usr/bin/env bash
# Grades one rung in its task, here and now: rung.sh HOMEWORK FILE TASK RECORD
#
# Leaves the grader's RECORD (.jsonl) and what it printed beside it (.txt), and prints the heading of
# rows and the rung's row (ladder.sh says what they hold). Variables as for make grade: DEVICE, SEED,
# RUN. A measurement that was too noisy is made once more. Exit code: 0, or that of a grader that wrote
# no verdict.
set -euo pipefail
# shellcheck source=grader/tools/ladder.sh
. grader/tools/ladder.sh
# shellcheck source=grader/tools/candidate.sh
. grader/tools/candidate.sh

homework=$1 file=$2 task=$3 record=$4
TASK=$task CASE=
build=${BUILD:-build}
text=${record%.jsonl}.txt
limit_s=300
read -ra run <<< "${RUN:-}"
object=$(rung_object "$file")
candidate_options "$file" "$object" "$homework"

grade() {
    rm -f "$record"
    timeout --foreground "$limit_s" "${run[@]}" "$build/$homework/grader" "${options[@]}" \
        --results="$record" > "$text" 2>&1 < /dev/null
}

# The driver's own release: the record has only the CUDA version that it is good for.
driver_release() {
    [ "$(member device_kind)" = gpu ] || return 0
    "${run[@]}" nvidia-smi --query-gpu=driver_version --format=csv,noheader 2> /dev/null |
        head -n 1 || true
}

# The value of a member; nothing where there is none, or null.
member() {
    sed -n "s/.*\"$1\":\(\"\(\([^\"\\\\]\|\\\\.\)*\)\"\|\([-+.0-9e]*\)\).*/\2\4/p" "$record" | head -n 1
}

heading() {
    local driver how=measured day
    driver=$(driver_release)
    day=$(member time)
    [ "$(member device_kind)" = gpu ] || how=modelled
    echo "# $(member device), driver ${driver:-$(member driver)}, CUDA $(member toolkit), ${day%T*}, $how"
}

counted() {
    sed -n 's/.*"counters":\[\(.*\)\],"hint.*/\1/p' "$record" | sed 's/},{/\n/g; s/[{}]//g' |
        sed 's/"what":"\(.*\)","value":\([^,]*\),"most":\(.*\)/\2 \1 (at most \3)/' |
        awk '{ $1 = sprintf("%.4g", $1); text = text (NR > 1 ? "; " : "") $0 } END { print text }'
}

row() {
    local ns expected
    ns=$(member candidate_ns)
    expected=$(member expected_ns)
    [ "${ns:-0}" != 0 ] || ns=${expected:+~$expected}
    [ "$ns" != "~0" ] || ns=
    printf '%s\t%s\t%s' "$file" "$task" "$(member verdict)"
    printf '\t%s' "${ns:--}"
    for name in bytes share speed_up gate limit_kind limit_name limit baseline_name; do
        value=$(member "$name")
        printf '\t%s' "${value:--}"
    done
    value=$(counted)
    printf '\t%s\n' "${value:--}"
}

code=0
grade || code=$?
if [ -s "$record" ] && [ "$(member verdict)" = INCONCLUSIVE ]; then
    code=0
    grade || code=$?
fi
if [ ! -s "$record" ]; then
    cat "$text" >&2
    exit "$(( code == 0 ? 2 : code ))"
fi
heading
row
