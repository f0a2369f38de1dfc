#!/usr/bin/env bash
# make demo and make live: what they draw, record, replay and refuse, with a made-up grader that gives
# made-up records; and one real ladder on the virtual GPU.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh

real_build=${BUILD:-build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset HW TASK FILE CASE N LEVEL SEED RUN NO_COLOR COLUMNS STEP PLOT RECORD REPLAY RUNG FORCE MAKEFLAGS MAKELEVEL
export BUILD=$scratch/build SOLUTIONS=$scratch/solutions FAKE=$scratch/fake
mkdir -p "$BUILD/hw4_reduction" "$SOLUTIONS/hw4_reduction" "$FAKE"

# The made-up grader: the record of NAME.cu is FAKE/NAME.jsonl, or FAKE/NAME.2.jsonl the second time.
cat > "$BUILD/hw4_reduction/grader" << 'END'
#!/usr/bin/env bash
for option in "$@"; do
    case $option in
    --file=*) name=$(basename "${option#*=}" .cu) ;;
    --results=*) results=${option#*=} ;;
    esac
done
echo "$name $*" >> "$FAKE/calls"
record=$FAKE/$name.jsonl
[ ! -e "$FAKE/$name.2.jsonl" ] || [ "$(grep -c "^$name " "$FAKE/calls")" -lt 2 ] || record=$FAKE/$name.2.jsonl
[ ! -e "$record" ] || cp "$record" "$results"
cat "$FAKE/$name.txt" 2> /dev/null
exit 1
END
chmod +x "$BUILD/hw4_reduction/grader"

# recorded NAME VERDICT SPEED [COUNTERS]: SPEED and COUNTERS are JSON.
kind=gpu
recorded() {
    local device="NVIDIA H200"
    [ "$kind" = gpu ] || device="Virtual GPU (H200 cut to 8 SMs)"
    printf '{"schema":1,"time":"2026-11-30T04:00:00Z","task":"hw4.2","verdict":"%s","device":"%s",' \
        "$2" "$device"
    printf '"device_kind":"%s","toolkit":"13.0","driver":"13.0","speed":%s,"counters":%s,"hint_level_used":0}\n' \
        "$kind" "$3" "${4:-null}"
}
record() { recorded "$@" > "$FAKE/$1.jsonl"; }

# bandwidth NS SHARE [EXPECTED_NS]: of 1 GB, at a limit of 4,000 GB/s.
bandwidth() {
    printf '{"gate":0.75,"share":%s,"share_low":%s,"speed_up":2,"candidate_ns":%s,"limit":4000,' "$2" "$2" "$1"
    printf '"expected_ns":%s,"bytes":1e+09,"limit_kind":"bandwidth","limit_name":"read bandwidth",' "${3:-0}"
    printf '"baseline_name":"a float at a time","unit":"GB/s"}'
}

# of_kind KIND LIMIT NS SHARE SPEED_UP BYTES
of_kind() {
    printf '{"gate":1.6,"share":%s,"speed_up":%s,"candidate_ns":%s,"limit":0,"expected_ns":0,"bytes":%s,' \
        "$4" "$5" "$3" "$6"
    printf '"limit_kind":"%s","limit_name":"%s","baseline_name":"a launch for every kernel"}' "$1" "$2"
}

# ladder NAME:VERDICT…, of hw4.2; the last is the reference.
ladder() {
    local rung
    printf '# file\ttask\tverdict\tsentence\n' > "$SOLUTIONS/hw4_reduction/ladder.tsv"
    for rung in "$@"; do
        printf '%s/hw4_reduction/%s.cu\thw4.2\t%s\twhy %s is faster\n' "$SOLUTIONS" "${rung%%:*}" "${rung#*:}" \
            "${rung%%:*}"
    done >> "$SOLUTIONS/hw4_reduction/ladder.tsv"
    rm -f "$FAKE"/*
}

# demo SETTING…: its output in $output, its errors in $errors, its exit code in $code.
demo() {
    code=0
    output=$(env "$@" grader/tools/demo.sh hw4_reduction 2> "$scratch/errors" < /dev/null) || code=$?
    errors=$(< "$scratch/errors")
}

says() {
    local name=$1 text
    shift
    for text in "$@"; do
        if ! grep -qF -- "$text" <<< "$output$errors"; then
            not_ok "$name" "no \"$text\" in" "$output" "$errors"
            return
        fi
    done
    ok "$name"
}
silent_about() {
    if grep -qF -- "$2" <<< "$output$errors"; then not_ok "$1" "\"$2\" in" "$output"; else ok "$1"; fi
}
ends_with() {
    if [ "$code" -eq "$2" ]; then ok "$1"; else not_ok "$1" "exit $code, wanted $2" "$output" "$errors"; fi
}
fits() {
    local wide
    wide=$(LC_ALL=C.UTF-8 grep -E '^.{81}' <<< "$output") || true
    if [ -z "$wide" ]; then ok "$1"; else not_ok "$1" "$wide"; fi
}

# --- a measured ladder ---

ladder "slow:TOO SLOW" "shared_tree:TOO SLOW" "reduction_solution:PASS"
record slow "TOO SLOW" "$(bandwidth 0 0 4.71e8)"
record shared_tree "TOO SLOW" "$(bandwidth 1e6 0.25)"
record reduction_solution PASS "$(bandwidth 256410 0.975)"
demo
ends_with "a ladder that is as it says" 0
says "device, limit and gate" "hw4.2  two-level warp shuffle" "NVIDIA H200, driver" "CUDA 13.0, 2026-11-30" \
    "of the read bandwidth, 4,000 GB/s here" "the gate, 75 %"
says "a rung that is too slow to be measured has the time that is expected" \
    " 1 slow                       ~471 ms    2.12    0.1 %          ▏"
says "time, GB/s, share, × before, and a bar" \
    " 2 shared_tree                1.00 ms   1,000     25 %    471 × ███▊       ╎   ▕" \
    " 3 the reference               256 µs   3,900     98 %   3.90 × ██████████████▋▕"
says "the sentence" "   why shared_tree is faster"
fits "in 80 columns"
silent_about "what is measured is not called modelled" "MODELLED"
silent_about "nor counted aloud" "counted"
if grep -q $'\e' <<< "$output"; then not_ok "no colour without a terminal"; else ok "no colour without a terminal"; fi
check "each rung is graded once, in its task" \
    test "$(grep -c -- '--task=hw4.2' "$FAKE/calls")" -eq 3 -a "$(wc -l < "$FAKE/calls")" -eq 3
if command -v script > /dev/null; then
    on_terminal() { script -qec "env $* grader/tools/demo.sh hw4_reduction" /dev/null < /dev/null; }
    output=$(on_terminal TERM=xterm) errors=
    says "colours on a terminal" $'\e[33m███▊\e[0m' $'\e[32m'
    output=$(on_terminal TERM=xterm NO_COLOR=1)
    silent_about "NO_COLOR leaves them out" $'\e[3'
else
    skip "colours on a terminal" "there is no script(1)"
fi

# --- steps ---

steps=$(printf '1\n2\n3\n4\n' | { STEP=1 grader/tools/demo.sh hw4_reduction > "$scratch/out"; cat; })
check "STEP=1 waits before each rung but the first" test "$steps" = $'3\n4'
check "and shows them all" grep -q "the reference" "$scratch/out"
demo STEP=1
ends_with "the end of the input goes on" 0
steps=$(printf '1\n2\n' | { grader/tools/demo.sh hw4_reduction > "$scratch/out"; cat; })
check "without STEP nothing is read" test "$steps" = $'1\n2'

# --- records, replays and pictures ---

demo RECORD="$SOLUTIONS/hw4_reduction/h200.tsv" PLOT="$scratch/plot.svg"
live=$output
ends_with "a record and a picture" 0
check "the record begins with device, driver, CUDA and day" grep -qx \
    '# NVIDIA H200, driver [0-9.]*, CUDA 13.0, 2026-11-30, measured' "$SOLUTIONS/hw4_reduction/h200.tsv"
check "and has a row a rung" test "$(grep -c 'hw4\.2' "$SOLUTIONS/hw4_reduction/h200.tsv")" -eq 3
rm "$FAKE"/*
demo REPLAY=h200
ends_with "a replay needs no grader" 0
check "a replay looks like the run" test "$output" = "$(sed '/^$/,$d' <<< "$live")"
picture=$(< "$scratch/plot.svg")
output=$picture errors=
says "the picture has names, numbers, limit and device" ">shared_tree</text>" "1.00 ms · 1,000 GB/s · 25 %" \
    "3.90 × before" ">read bandwidth: 4,000 GB/s</text>" ">NVIDIA H200, driver" 'class="limit"' \
    "why shared_tree is faster"
silent_about "a measured picture" "modelled"
if command -v xmllint > /dev/null; then
    check "it is XML" xmllint --noout "$scratch/plot.svg"
else
    skip "it is XML" "there is no xmllint"
fi
sed -i '/shared_tree/d' "$SOLUTIONS/hw4_reduction/h200.tsv"
demo REPLAY=h200
ends_with "a rung that the record lacks" 1
says "is named" "shared_tree" "has no row of it"
demo REPLAY=a100
ends_with "a record that there is not" 2
says "says which there are" "REPLAY=h200"
demo REPLAY=ladder
ends_with "the ladder itself is no record" 2
demo REPLAY=h200 RECORD="$scratch/x.tsv"
ends_with "RECORD with REPLAY" 2
echo nonsense > "$SOLUTIONS/hw4_reduction/broken.tsv"
demo REPLAY=broken
ends_with "a record without a heading" 2
for setting in PLOT RECORD; do
    rm -f "$FAKE/calls"
    demo "$setting=/proc/nowhere/x"
    ends_with "$setting that cannot be written" 2
    says "$setting is named" "$setting=/proc/nowhere/x"
    check "and nothing has run" test ! -e "$FAKE/calls"
done

# --- the virtual GPU ---

kind=virtual
ladder "slow:PASS/TOO SLOW" "reduction_solution:PASS"
record slow "TOO SLOW" "$(bandwidth 4e6 0.06)" \
    '[{"what":"load requests for each 512 bytes","value":4.00012,"most":1.5},{"what":"atomic additions for each block of elements","value":1,"most":1}]'
record reduction_solution PASS "$(bandwidth 256410 0.975)"
demo PLOT="$scratch/plot.svg"
ends_with "the verdict of the virtual GPU stands second" 0
says "modelled times say so, and counts stand beside" "MODELLED" \
    "counted  4 load requests for each 512 bytes (at most 1.5)" \
    "1 atomic additions for each block of elements (at most 1)"
fits "counts in 80 columns"
check "the picture says it as well" grep -q 'times are modelled' "$scratch/plot.svg"

# --- rungs that are not what they say ---

kind=gpu
ladder "slow:TOO SLOW" "reduction_solution:PASS"
record slow "WRONG ANSWER" "$(bandwidth 1000 0.9)"
printf 'FAIL  hw4.2  x   0 / 25   WRONG ANSWER\n  case     n33\n  first    sum is 0 <instead of 7>\n\n' > "$FAKE/slow.txt"
record reduction_solution PASS "$(bandwidth 256410 0.975)"
demo PLOT="$scratch/plot.svg"
ends_with "a wrong rung" 1
says "is shown as wrong, with the grader's words" "WRONG ANSWER" "sum is 0 <instead of 7>" \
    "the grader says WRONG ANSWER, the ladder TOO SLOW"
silent_about "and has no time" "1.00 µs"
says "the others go on" "the reference"
check "the picture shows it as well" grep -q '>WRONG ANSWER<' "$scratch/plot.svg"
check "without a bar" grep -q 'width="0.0".*#dc2626' "$scratch/plot.svg"

recorded slow "DOES NOT COMPILE" null | sed 's/"device":"[^"]*"/"device":""/; s/"device_kind":"[^"]*"/"device_kind":"gpu"/' > "$FAKE/slow.jsonl"
printf 'DOES NOT COMPILE  slow.cu\n\nslow.cu(3): error: expected a ";"\n' > "$FAKE/slow.txt"
demo
ends_with "a rung that does not compile" 1
says "nvcc's error is shown" "DOES NOT COMPILE" 'error: expected a ";"'
demo RECORD="$scratch/record.tsv"
check "the device of the others heads the record" grep -q '^# NVIDIA H200' "$scratch/record.tsv"

record slow PASS "$(bandwidth 256410 0.975)"
demo
ends_with "a rung that is faster than its ladder says" 1
says "both are named" "the grader says PASS, the ladder TOO SLOW"

record slow INCONCLUSIVE "$(bandwidth 4e6 0.06)"
rm -f "$FAKE/calls"
demo
ends_with "a GPU that is too noisy" 75
says "says so" "INCONCLUSIVE: too noisy to judge"
check "after a second try" test "$(grep -c '^slow ' "$FAKE/calls")" -eq 2
recorded slow "TOO SLOW" "$(bandwidth 4e6 0.06)" > "$FAKE/slow.2.jsonl"
rm -f "$FAKE/calls"
demo
ends_with "a second try that succeeds" 0

ladder "slow:TOO SLOW" "reduction_solution:PASS"
record slow "CANNOT GRADE" null
printf 'CANNOT GRADE  hw4_reduction\nThere is no device.\n' > "$FAKE/slow.txt"
demo
ends_with "no device" 77
says "the sentence of the grader is shown" "There is no device."
rm "$FAKE"/*
echo "the grader fell over" > "$FAKE/slow.txt"
demo
ends_with "a grader that writes no record" 1
says "its words are shown" "the grader fell over"

# --- tasks without a bandwidth ---

ladder "slow:TOO SLOW" "reduction_solution:PASS"
record slow "TOO SLOW" "$(of_kind overlap "time that overlap can hide" 4e6 -4.6 0.5 1e6)"
record reduction_solution PASS "$(of_kind overlap "time that overlap can hide" 1e6 0.94 2 1e6)"
demo
says "a share of what can be hidden" "of the time that overlap can hide" "hidden" \
    " 1 slow                       4.00 ms       –  nothing" "94 %   4.00 ×"
fits "in 80 columns, too"
record slow "TOO SLOW" "$(of_kind baseline "baseline's speed" 8e6 0.5 0.5 0)"
record reduction_solution PASS "$(of_kind baseline "baseline's speed" 1e6 4 4 0)"
demo PLOT="$scratch/plot.svg"
says "a speed-up, and bars of time" 'time; speed-up over "a launch for every kernel", 1.6 × asked' \
    "0.50 ×          ███████████████" "4.00 ×   8.00 × █▉"
silent_about "no limit is claimed" "▕"
fits "a speed-up in 80 columns"
record reduction_solution PASS "$(of_kind baseline "baseline's speed" 2e6 4 4 0)"
demo
says "the time of another size is that for the size of the first rung" "reference              1.00 ms       –   4.00 ×   8.00 ×"
record slow INEFFICIENT null '[{"what":"atomics on global memory an element","value":1,"most":0.25}]'
record reduction_solution PASS null '[{"what":"atomics on global memory an element","value":0.06,"most":0.25}]'
ladder_file=$SOLUTIONS/hw4_reduction/ladder.tsv
sed -i 's/TOO SLOW/INEFFICIENT/' "$ladder_file"
demo
ends_with "a task that is not timed" 0
says "shows what is counted" "INEFFICIENT" "counted  1 atomics on global memory an element (at most 0.25)" \
    "counted  0.06 atomics"
silent_about "and no columns of times" "× before"

# --- words ---

refuses() {
    local name=$1 text=$2
    shift 2
    demo "$@"
    ends_with "$name" 2
    says "$name: says so" "$text"
}
refuses "TASK=5" "TASK=2" TASK=5
refuses "STEP=2" "STEP=2" STEP=2
refuses "DEVICE=tpu" "auto, gpu or virtual" DEVICE=tpu
refuses "SEED=zz" "hexadecimal" SEED=zz
code=0 output='' errors=$(grader/tools/demo.sh '' 2>&1) || code=$?
ends_with "no homework" 2
says "lists those that have a ladder" "make demo HW=4"
code=0 errors=$(grader/tools/demo.sh hw1_vector_add 2>&1) || code=$?
ends_with "a homework without a ladder" 2
code=0 errors=$(SOLUTIONS=$scratch/none grader/tools/demo.sh hw4_reduction 2>&1) || code=$?
ends_with "a bundle without ladders" 2
says "says that it is one" "students' bundle"

# --- a rung to type ---

cp solutions/hw4_reduction/grid_stride_tree.cu "$SOLUTIONS/hw4_reduction/slow.cu"
cp hw4_reduction/reduction_solution.cu "$SOLUTIONS/hw4_reduction/reduction_solution.cu"
live() {
    code=0
    output=$(env "$@" grader/tools/live.sh hw4_reduction 2> "$scratch/errors") || code=$?
    errors=$(< "$scratch/errors")
}
typed=$BUILD/live/hw4_reduction/slow.cu
live RUNG=1
ends_with "a rung by its number" 0
says "the path, and how to grade it" "$typed" "make grade HW=4 TASK=2 FILE=$typed"
check "a TODO stands where the body was" grep -qx '// TODO(hw4.2): slow' "$typed"
check "and nothing of the body" bash -c "! grep -q 'SOLVED\|sum_shuffle' '$typed'"
check "what stands around it stays" grep -q 'choose_blocks' "$typed"
live RUNG=slow
ends_with "the same by its name, untouched" 0
echo "// typed" >> "$typed"
live RUNG=1
ends_with "a file in which something was typed" 2
says "is left alone" "FORCE=1"
check "as it was" grep -qx '// typed' "$typed"
live RUNG=1 FORCE=1
ends_with "FORCE=1" 0
check "begins anew" bash -c "! grep -q '// typed' '$typed'"
live RUNG=reduction_solution TASK=2
check "of the reference only the task's part is taken" \
    grep -q 'SOLVED(hw4.5)' "$BUILD/live/hw4_reduction/reduction_solution.cu"
for rung in "" 3 0 nothing; do
    live RUNG="$rung"
    ends_with "RUNG=$rung" 2
    says "RUNG=$rung lists them" "RUNG=2  TASK=2  reduction_solution"
done

# --- for real ---

export BUILD=$real_build SOLUTIONS=solutions
check "a replay builds nothing" bash -c \
    "! make -n demo HW=4 REPLAY=h200 2> /dev/null | grep -q 'compile.sh\|grader  hw4'"
code=0 errors=''
output=$(make demo HW=4 TASK=5 DEVICE=virtual 2>&1) || code=$?
ends_with "a real ladder" 0
says "is climbed" "hw4.5  a block a row" "thread_a_row" "the reference" "that the bytes fill"

finish
