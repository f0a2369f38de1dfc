#!/usr/bin/env bash
# Runs every test of the project and adds up: run.sh   (HW=4: only what concerns that homework)
#
# Criterion programs are build/grader/tests/*_test, tests in shell grader/tests/*_test.sh; each
# prints its checks and ends with "N passed, N failed[, N skipped]".
set -euo pipefail

build=${BUILD:-build}
passed=0 failed=0 skipped=0
logs=$build/tests
mkdir -p "$logs"

add() {
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

log_of() { echo "$logs/$(basename "$1" .sh).log"; }

# Runs these tests, one more at a time than there are processors, since some mostly wait; a GPU they would
# not share.
run_at_once() {
    local test many
    many=$(($(nproc) + 1))
    ! grep -q "^GPU_ARCH='*[0-9]" "$build/toolchain" || many=1
    # shellcheck disable=SC2016 # the inner shell expands them
    for test in "$@"; do
        echo "$test $(log_of "$test")"
    done | xargs -r -P "$many" -L 1 bash -c '"$0" > "$1" 2>&1; echo $? > "$1.code"' || true
}

report() {
    local test=$1 name log line code
    name=$(basename "$test" .sh)
    log=$(log_of "$test")
    code=$(cat "$log.code")
    echo "── $name"
    grep -E '^(not ok|skip|#) ?' "$log" || true
    line=$(tail -n 1 "$log")
    if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed(,\ ([0-9]+)\ skipped)?$ ]]; then
        add "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "${BASH_REMATCH[4]:-0}"
        echo "   $line"
        if [ "$code" -ne 0 ] && [ "${BASH_REMATCH[2]}" -eq 0 ]; then
            add 0 1 0
            echo "not ok - $name ended with exit code $code"
        fi
    else
        add 0 1 0
        echo "not ok - $name did not reach its end:"
        tail -n 5 "$log"
    fi
}

# With HW= only those that look at homeworks; the others test the machinery.
is_chosen() {
    case $1 in
    */verdicts_test.sh | */messages_test.sh | */structure_test.sh | */compile_test.sh) ;;
    */ladder_test.sh | */accepted_test.sh) ;;
    *) [ -z "${HW:-}" ] ;;
    esac
}

# Criterion: one check a test. An empty or all-skipped program is a failure, not a pass.
run_criterion_test() {
    local program=$1 name log tested=0 passing=0
    name=$(basename "$program")
    log=$logs/$name.log
    echo "── $name"
    "$program" > "$log" 2>&1 || true
    if [[ $(tail -n 1 "$log") =~ Tested:\ ([0-9]+).*Passing:\ ([0-9]+) ]]; then
        tested=${BASH_REMATCH[1]} passing=${BASH_REMATCH[2]}
    fi
    if [ "$tested" -eq 0 ]; then
        add 0 1 0
        echo "not ok - $name ran no test"
        tail -n 5 "$log"
    else
        add "$passing" $((tested - passing)) 0
        [ "$tested" -eq "$passing" ] || cat "$log"
        echo "   $passing passed, $((tested - passing)) failed"
    fi
}

if [ -z "${HW:-}" ]; then
    for program in "$build"/grader/tests/*_test; do
        run_criterion_test "$program"
    done
fi

side_by_side=() last=()
for test in grader/tests/*_test.sh grader/virtual_gpu/tests/*_test.sh; do
    is_chosen "$test" || continue
    case $test in
    */verdicts_test.sh) last=("$test" "${last[@]}") ;; # takes all processors itself
    # These use what verdicts_test.sh leaves.
    */messages_test.sh | */virtual_speeds_test.sh) last+=("$test") ;;
    *) side_by_side+=("$test") ;;
    esac
done
echo "── ${#side_by_side[@]} tests in shell, side by side: reported when all are done"
run_at_once "${side_by_side[@]}"
for test in "${side_by_side[@]}"; do
    report "$test"
done
for test in "${last[@]}"; do
    run_at_once "$test"
    report "$test"
done

echo
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
