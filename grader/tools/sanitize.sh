#!/usr/bin/env bash
# compute-sanitizer on a candidate: sanitize.sh HOMEWORK FILE GRADER-OPTION…
# Where there is no GPU, the virtual GPU's own report of the same run.
#
# Runs the homework's cases under each tool, and prints what it found in the candidate, each
# source line once. The full reports are kept. Exit code: 0 nothing found, 1 findings or a
# crash, 77 no tool; where no task was looked at, that of what kept it from that.
set -euo pipefail

homework=$1 file=$2
shift 2
build=${BUILD:-build}
reports=$build/sanitize/$homework
read -ra run <<< "${RUN:-}"
limit_s=120

# The tool, and the question that it answers.
tools=(
    "memcheck accesses out of bounds, misaligned, leaked"
    "racecheck races in shared memory"
    "initcheck reads of global memory that nobody wrote"
    "synccheck barriers and warp operations used wrongly"
)

# "N  kind  file:line" for each place that a report names.
places() {
    awk -v file="$(basename "$1")" '
        /^========= (Invalid|Uninitialized|Error|Race|Warning|Barrier|Divergent|Program hit|Leaked|Misaligned|Potential)/ {
            kind = $0
            sub(/^========= /, "", kind)
            sub(/ at (__|block|0x).*/, "", kind)
            sub(/ (on|by) address.*/, "", kind)
            waiting = 1
            if (kind ~ /^Leaked/) { count["  " kind]++; waiting = 0 }
        }
        waiting && match($0, file ":[0-9]+") {
            count["  " substr($0, RSTART, RLENGTH) "  " kind]++
            waiting = 0
        }
        END { for (place in count) printf "%6d x%s\n", count[place], place }
    ' "$2" | sort -rn
}

# The tasks that did not pass, each with its name; a crash ends the run.
what_the_tasks_say() {
    awk '/^hw[0-9]+\.[0-9]+  / { task = $0; next }
        /^  (found|not attempted)/ { if (task != "") print task; task = ""; show = 1 }
        /^[^ ]/ { show = 0 }
        show' "$1" | head -n 40
    if grep -q 'ended by signal' "$1"; then
        echo "Nothing was looked at behind the crash. TASK=2 looks at one task only."
    fi
}

# require_a_task REPORT CODE: ends the script, with what was printed, where a run came to no task: the
# file does not compile, the tool refuses the device, a word is mistyped.
require_a_task() {
    local report=$1 code=$2
    ! grep -qE '^hw[0-9]+\.[0-9]+  ' "$report" || return 0
    cat "$report"
    exit "$((code == 0 ? 1 : code))"
}

# One run sees it all: bounds, races, barriers, reads of what nobody wrote.
on_virtual_gpu() {
    local report=$reports/virtual.txt
    mkdir -p "$reports"
    local code=0
    timeout --foreground "$limit_s" "$build/$homework/grader" "$@" --mode=direct --device=virtual \
        > "$report" 2>&1 || code=$?
    require_a_task "$report" "$code"
    echo "the virtual GPU: accesses, races, barriers, reads of what nobody wrote"
    if grep -qE ': error( \[|:)' "$report"; then
        # Each line of the source once, however many cases met it.
        awk '/: error( \[|:)/ { show = !seen[$0]++ } /^hw[0-9]|^  [a-z]/ { show = 0 }
            show { print "  " $0 }' "$report" | head -n 40
    else
        echo "  nothing found"
    fi
    what_the_tasks_say "$report"
    grep -qE ': error( \[|:)|ended by signal' "$report" || exit 0
    echo "The full report is $report."
    exit 1
}

if [ "${DEVICE:-auto}" = virtual ] || ! "${run[@]}" nvidia-smi -L > /dev/null 2>&1; then
    on_virtual_gpu "$@"
fi
if ! command -v compute-sanitizer > /dev/null; then
    echo "compute-sanitizer is not installed: it comes with the CUDA toolkit (make doctor)." >&2
    exit 77
fi
mkdir -p "$reports"
found=0
for entry in "${tools[@]}"; do
    read -r tool question <<< "$entry"
    report=$reports/$tool.txt
    code=0
    echo "$tool: $question"
    timeout "$limit_s" "${run[@]}" compute-sanitizer --tool "$tool" --error-exitcode 99 \
        "$build/$homework/grader" "$@" --mode=direct > "$report" 2>&1 || code=$?
    case $code in
    99)
        found=1
        places "$file" "$report" | head -n 10
        grep -m 1 '^========= \(ERROR\|RACECHECK\) SUMMARY' "$report" | sed 's/^=* */  /'
        ;;
    124) echo "  stopped after $limit_s s: TASK=2 looks at one task only" ;;
    77)
        tail -n 1 "$report"
        exit 77
        ;;
    *)
        require_a_task "$report" "$code"
        echo "  nothing found"
        what_the_tasks_say "$report"
        ! grep -q 'ended by signal' "$report" || found=1
        ;;
    esac
done
echo "The full reports are in $reports."
exit "$found"
