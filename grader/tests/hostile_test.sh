#!/usr/bin/env bash
# The supervisor against candidates that attack it, without any GPU: every attack in
# fake_homework/attacks gets the verdict in its first line, the other tasks of the same file are
# judged as if nothing had happened, and nothing is left behind.
#
#   // expect=VERDICT diagnosis=ID others=VERDICT      ID is - for a PASS
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh

build=${BUILD:-build}
# shellcheck source=/dev/null
. "$build/toolchain"
folder=grader/tests/fake_homework
out=$build/tests/hostile
grader=$out/grader
mark=HOSTILE_TEST_RUN=$$ # in the environment of all that is started here
limit_s=60
memory_mib=1500 # of a candidate
rm -rf "$out"
mkdir -p "$out"

compile_grader() {
    # shellcheck disable=SC2086 # lists of options
    $HOST_CC -std=gnu11 -g -Wall -Wextra -Werror $CRITERION_CFLAGS -I"$CUDA_INCLUDE" -iquote grader -iquote . \
        -o "$grader" "$folder/grader.c" "$build/grader/main.c.o" "$build/grader/library.a" \
        -Wl,--wrap=device_ask,--wrap=measure -Wl,--dynamic-list=grader/exported.list \
        $CRITERION_LIBS -L"$CUDA_LIB" -Wl,-rpath,"$CUDA_LIB" -lcudart -lstdc++ -ldl -lm -lpthread
}

compile_attack() {
    # shellcheck disable=SC2086 # HOST_CC and CRITERION_CFLAGS are lists of words
    $HOST_CC -std=gnu11 -O1 -g -Wall -Wextra -Werror -fPIC -shared -pthread $CRITERION_CFLAGS -iquote grader -iquote "$folder" \
        -o "$out/$1.so" "$folder/attacks/$1.c"
}

# grade NAME DEVICE: runs the grader in an environment with the mark; leaves .txt, .jsonl and .code of
# NAME.DEVICE. On a virtual device the tasks are judged side by side.
grade() {
    local code=0 run=$1.$2
    env "$mark" timeout --signal=KILL "$limit_s" "$grader" --device="$2" --virtual="$build/virtual_gpu" \
        --file="$1.c" --candidate="$out/$1.so" --baseline="$out/honest.so" --results="$out/$run.jsonl" \
        --memory="$memory_mib" --limit=10 > "$out/$run.txt" 2>&1 < /dev/null || code=$?
    echo "$code" > "$out/$run.code"
}

# member NAME LINE: the value of a member in that line of the record.
member() { sed -n "$3s/.*\"$2\":\"\([^\"]*\)\".*/\1/p" "$out/$1.jsonl"; }

expected() { sed -n "1s/.*$2=\([A-Z][A-Z ]*[A-Z]\|[a-z-]*\)\( .*\|\$\)/\1/p" "$folder/attacks/$1.c"; }

# What is wrong with a finished run; nothing if it is as it should be.
complaints() {
    local name=$1 run=$1.$2 want_code=1 want diagnosis others
    want=$(expected "$name" expect) diagnosis=$(expected "$name" diagnosis)
    others=$(expected "$name" others)
    [ "$diagnosis" != - ] || diagnosis=''
    [ "$want/$others" != PASS/PASS ] || want_code=0
    [ "$(< "$out/$run.code")" -eq $want_code ] ||
        echo "exit code $(< "$out/$run.code"), not $want_code"
    [ -e "$out/$run.jsonl" ] || { echo "no result record" && return; }
    [ "$(member "$run" verdict 1)" = "$want" ] ||
        echo "verdict $(member "$run" verdict 1), not $want"
    [ "$(member "$run" diagnosis 1)" = "$diagnosis" ] ||
        echo "diagnosis $(member "$run" diagnosis 1), not $diagnosis"
    for line in 2 3; do
        [ "$(member "$run" verdict $line)" = "$others" ] ||
            echo "task $line: $(member "$run" verdict $line), not $others"
    done
    [ "$(wc -l < "$out/$run.jsonl")" -eq 3 ] || echo "the record has not three lines"
    [ "$(wc -c < "$out/$run.txt")" -lt 5000 ] || echo "it prints more than 5,000 bytes"
    ! LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' "$out/$run.txt" ||
        echo "control characters reach the reader"
}

processes_left() { grep -lsz "^$mark\$" /proc/[0-9]*/environ || true; }

# nobody_is_left: of the processes of the last run, which may take a moment to end.
nobody_is_left() {
    local i
    for ((i = 0; i < 50; i++)); do
        [ -n "$(processes_left)" ] || return 0
        sleep 0.1
    done
    echo "left: $(processes_left)"
    return 1
}

# ends_cleanly SIGNAL DEVICE: told to stop while an attack runs, the grader stops it as well.
ends_cleanly() {
    local pid code=0
    env "$mark" "$grader" --device="$2" --virtual="$build/virtual_gpu" --file=x.c \
        --candidate="$out/stays_for_ever.so" --baseline="$out/honest.so" > "$out/stopped.txt" 2>&1 < /dev/null &
    pid=$!
    for ((i = 0; i < 100; i++)); do
        [ "$(processes_left | wc -l)" -ge 4 ] && break # supervisor, runner, test, its child
        sleep 0.1
    done
    kill "-$1" "$pid"
    wait "$pid" || code=$?
    [ $i -lt 100 ] || { echo "the attack did not start" && return 1; }
    [ "$code" -gt 128 ] || { echo "exit code $code" && return 1; }
    nobody_is_left
}

# Without the filter of system calls somebody may stop the grader: then the kernel ends it in the
# end, and with it the runner and the test.
a_stopped_grader_ends() {
    local code=0
    env "$mark" timeout --signal=KILL "$limit_s" "$grader" --device="$1" --virtual="$build/virtual_gpu" \
        --file=x.c --limit=1 --filter=no --candidate="$out/stops_the_grader.so" --baseline="$out/honest.so" > /dev/null 2>&1 < /dev/null || code=$?
    [ "$code" -eq 137 ] || { echo "exit code $code" && return 1; }
    nobody_is_left
}

examine() {
    local name=$1 device=$2 why
    why=$(complaints "$name" "$device")
    if [ -z "$why" ]; then
        ok "$device, $name: $(expected "$name" expect)"
    else
        not_ok "$device, $name" "$why" "$(head -c 3000 "$out/$name.$device.txt" | tr -d '\000-\010\013-\037\177')"
    fi
}

# The grader itself is killed: a record of an earlier run must not be taken for its result.
old_record_is_gone() {
    local code=0
    cp "$out/honest.gpu.jsonl" "$out/old.jsonl"
    env "$mark" timeout --signal=KILL 2 "$grader" --device=gpu --file=x.c \
        --candidate="$out/stays_for_ever.so" --baseline="$out/honest.so" \
        --results="$out/old.jsonl" > /dev/null 2>&1 < /dev/null || code=$?
    [ "$code" -eq 137 ] || { echo "exit code $code" && return 1; }
    ! grep -s PASS "$out/old.jsonl"
}

# Where the machine lets no test begin, no code of the candidate has run, and it is not to blame.
too_few_open_files() {
    local code=0 line
    (
        ulimit -Sn 16
        exec "$grader" --device="$1" --virtual="$build/virtual_gpu" --file=x.c --candidate="$out/honest.so" \
            --baseline="$out/honest.so" --results="$out/few.jsonl" > "$out/few.txt" 2>&1 < /dev/null
    ) || code=$?
    [ "$code" -eq 2 ] || { echo "exit code $code" && cat "$out/few.txt" && return 1; }
    for line in 1 2 3; do
        [ "$(member few verdict $line)" = "GRADER FAULT" ] || { cat "$out/few.txt" && return 1; }
    done
    grep -q "Too many open" "$out/few.txt" || { cat "$out/few.txt" && return 1; }
}

if ! compile_grader; then
    not_ok "the grader of the fake homework is built"
    finish
    exit 1
fi
names=()
for file in "$folder"/attacks/*.c; do
    name=$(basename "$file" .c)
    if compile_attack "$name"; then
        names+=("$name")
    else
        not_ok "$name is built"
    fi
done

# Four at a time: many only wait for a limit to pass.
for name in "${names[@]}"; do
    for device in gpu virtual; do
        [ "$(jobs -rp | wc -l)" -lt 4 ] || wait -n
        grade "$name" $device &
    done
done
wait

for device in gpu virtual; do
    for name in "${names[@]}"; do
        examine "$name" $device
    done
done
left=$(processes_left)
if [ -z "$left" ]; then ok "no process is left behind"; else not_ok "left behind" "$left"; fi
for signal in INT TERM HUP; do
    for device in gpu virtual; do
        check "$device: SIG$signal ends the grader and all that it started" ends_cleanly $signal $device
    done
done
for device in gpu virtual; do
    check "$device: a grader that was stopped does not hang" a_stopped_grader_ends $device
done
for device in gpu virtual; do
    check "$device: a machine with too few open files is not the candidate's fault" too_few_open_files $device
done
check "a killed grader leaves no old record" old_record_is_gone

finish
