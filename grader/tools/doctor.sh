#!/usr/bin/env bash
# Says what this machine has, what each homework needs of it, and what to do about the difference.
#
# Every finding is a status, a subject, what was found, what that means for which homework, and the
# fix where there is one. Exit 0 when the workbook can be used (a missing GPU is no obstacle to
# that), 77 when it cannot: no nvcc that compiles, no Criterion, or a GPU too old for the toolkit.
#
# Reads what toolchain.sh reads, and RUN, the words that go before a program that needs the device.
# shellcheck disable=SC2034,SC2154  # shared with the files that are sourced below
set -euo pipefail

for part in toolchain doctor_gpu doctor_tools; do
    # shellcheck source=/dev/null
    source "$(dirname -- "${BASH_SOURCE[0]}")/$part.sh"
done
set +e # what one check cannot find out must not end the others
trap 'exit 130' INT # but Ctrl-C does

machine=${DOCTOR_ROOT:-} # the tests put a made-up one before /proc, /sys and the like
width_columns=80
if [ -t 1 ] && columns=$(stty size 2> /dev/null < /dev/tty) && columns=${columns#* } &&
    [ "$columns" -ge 40 ] && [ "$columns" -lt "$width_columns" ]; then
    width_columns=$columns
fi
indent_columns=21
usable=yes
probes='' probe=''
declare -A fact=()
declare -a gpu_lines=()

# finding STATUS SUBJECT PARAGRAPH...   status: ok, note (works, with a limit), or fix (does not)
finding() {
    local status=$1 subject=$2 colour='' reset='' paragraph line first=yes
    shift 2
    if [[ -t 1 && -z ${NO_COLOR:-} && ${TERM:-dumb} != dumb ]]; then
        reset=$'\e[0m'
        case $status in
        ok) colour=$'\e[32m' ;;
        note) colour=$'\e[33m' ;;
        *) colour=$'\e[31m' ;;
        esac
    fi
    for paragraph in "$@"; do
        while IFS= read -r line; do
            line=${line%"${line##*[![:space:]]}"}
            if [ -n "$first" ]; then
                printf '%s%-4s%s  %-14s %s\n' "$colour" "$status" "$reset" "$subject" "$line"
                first=''
            else
                printf '%*s%s\n' "$indent_columns" '' "$line"
            fi
        done < <(printf '%s\n' "$paragraph" | fold -s -w $((width_columns - indent_columns)))
    done
}

# The workbook cannot be used at all: a finding that says why.
obstacle() {
    usable=''
    finding fix "$@"
}

is_wsl() {
    [[ -r $machine/proc/version ]] && grep -qi microsoft "$machine/proc/version"
}

is_container() {
    [[ -e $machine/.dockerenv || -e $machine/run/.containerenv || -n ${container:-} ]]
}

# --- system ---

check_system() {
    local name
    name=$(sed -n 's/^PRETTY_NAME="\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' \
        "$machine/etc/os-release" 2>/dev/null)
    if is_wsl; then
        finding note system "${name:-Linux}, $HOSTTYPE, under WSL" \
            "The driver belongs to Windows: install none here." \
            "hw5: concurrent managed access is 0 and prefetching returns an error; no points are\
 lost." \
            "hw7: Windows forbids the hardware counters at first. Fix: NVIDIA Control Panel,\
 Developer, Manage GPU Performance Counters, allow all users. Grading does not need them."
    else
        finding ok system "${name:-Linux}, $HOSTTYPE$(is_container && printf ', in a container')"
    fi
}

# --- compilers ---

check_toolkit() {
    if ! find_scratch; then
        obstacle TMPDIR "$problem" "hw1-hw8: nothing can be compiled without it."
        return
    fi
    if ! find_nvcc || ! find_cuda_files; then
        obstacle nvcc "$problem" "hw1-hw8: nothing can be compiled without it."
        return
    fi
    finding ok nvcc "CUDA $NVCC_VERSION, $NVCC"
    if ! find_host_compiler; then
        obstacle 'host compiler' "$problem" "hw1-hw8: nvcc hands the host code to it."
    elif [ -n "${NVCC_CCBIN:-${CUDAHOSTCXX:-}}" ]; then
        finding ok 'host compiler' "${CCBIN#-ccbin }, as NVCC_CCBIN or CUDAHOSTCXX says"
    elif [ -n "$CCBIN" ]; then
        finding ok 'host compiler' \
            "${CCBIN#-ccbin }, since this nvcc accepts g++ up to ${GXX_LIMIT:-an older one}"
    else
        finding ok 'host compiler' "g++ ${GXX_VERSION:-that nvcc is configured for}${GXX_LIMIT:+\
 (this nvcc accepts up to $GXX_LIMIT)}"
    fi
}

# Sets probes to a folder for the test programs. The kernel is compiled anew when its toolchain
# changes.
open_probe_folder() {
    local now
    probes=$root/build/doctor
    now="${NVCC:-} ${NVCC_VERSION:-} ${CCBIN:-} ${GENCODE:-}"
    now+=" $(cksum <"$root/grader/tools/doctor.c")"
    if ! mkdir -p "$probes" 2>/dev/null || [ ! -w "$probes" ]; then
        probes=$(mktemp -d)
        trap 'rm -rf -- "$probes"' EXIT
    fi
    if [ "$now" != "$(cat "$probes/made_with" 2>/dev/null)" ]; then
        rm -f -- "$probes"/*
        printf '%s\n' "$now" >"$probes/made_with"
    fi
}

# Sets probe to doctor.c, compiled as CUDA with the options of the recipes; if nvcc cannot, compiled
# as plain C, which still tells what the runtime knows.
compile_probe() {
    local -a words
    probe=$probes/kernel
    [ ! -x "$probe" ] || return 0
    read -r -a words <<<"$CCBIN $GENCODE"
    [ ! -t 1 ] || printf 'compiling a test kernel ...\r'
    if "$NVCC" -x cu "${words[@]}" -lineinfo -cudart shared -o "$probe" \
        "$root/grader/tools/doctor.c" >"$probe.log" 2>&1; then
        return 0
    fi
    obstacle compiling "nvcc cannot compile a small kernel:" \
        "$(grep -v '^$' "$probe.log" | head -n 3)" \
        "hw1-hw8: nothing can be graded. Fix: \`make setup\`, or another toolkit (CUDA_HOME)."
    probe=$probes/plain
    # shellcheck disable=SC2086  # HOST_CC may be two words
    $HOST_CC -I"$CUDA_INCLUDE" -L"$CUDA_LIB" -o "$probe" "$root/grader/tools/doctor.c" -lcudart \
        >/dev/null 2>&1
}

# with_runtime COMMAND...: after RUN, with the toolkit's libcudart first on the library path.
with_runtime() {
    local -a before
    read -r -a before <<<"${RUN:-}"
    "${before[@]}" timeout 120 env \
        LD_LIBRARY_PATH="$CUDA_LIB${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$@"
}

check_architectures() {
    local machine_code
    machine_code=$(grep -o 'sm_[0-9]*' <<<"$GENCODE" | tr -d '\n' | sed 's/sm_/ /g')
    if ((PTX_ARCH < 80)); then
        finding note architectures "PTX for $PTX_ARCH, machine code for$machine_code" \
            "This GPU is older than compute capability 8.0: the tasks that need 8.0 say so."
    else
        finding ok architectures "PTX for $PTX_ARCH, machine code for$machine_code"
    fi
}

check_criterion() {
    local version
    local -a words_before words_after
    if ! find_c_compiler || ! find_criterion; then
        obstacle Criterion "$problem" "hw1-hw8: it runs the graders."
        return
    fi
    read -r -a words_before <<<"$CRITERION_CFLAGS"
    read -r -a words_after <<<"$CRITERION_LIBS"
    # shellcheck disable=SC2086  # HOST_CC may be two words
    if printf '#include <criterion/criterion.h>\nTest(a, b)\n{\n}\n' |
        $HOST_CC "${words_before[@]}" -x c - -x none -o "$probes/criterion" \
            "${words_after[@]}" >"$probes/criterion.log" 2>&1 &&
        { timeout 20 "$probes/criterion" >"$probes/criterion.log" 2>&1; } 2>/dev/null; then
        version=$("$probes/criterion" --version 2>&1 | grep -o '[0-9][0-9.]*' | head -n 1)
        if [ -z "$version" ] || at_least "$version" 2.4; then
            finding ok Criterion "${version:-found}, through $CRITERION_FROM"
        else
            finding note Criterion "$version, through $CRITERION_FROM" \
                "hw1-hw8: the graders are tested with 2.4; an older one may not compile them."
        fi
        return
    fi
    obstacle Criterion "found through $CRITERION_FROM, but an empty test fails:" \
        "$(grep -v '^$' "$probes/criterion.log" | head -n 3)"
    if grep -q 'inheritable arena' "$probes/criterion.log"; then
        finding fix '' "Fix: /dev/shm must be there and writable (docker: --shm-size)."
    else
        finding fix '' "Fix: \`make setup\`, or correct CRITERION."
    fi
}

# --- all of it ---

main() {
    cd -- "$root"
    check_system
    check_toolkit
    if [ -n "$usable" ] && ! find_architectures; then
        obstacle architectures "$problem"
    fi
    open_probe_folder
    check_criterion
    if [[ -n ${GENCODE:-} && -n ${HOST_CC:-} ]] && compile_probe; then
        check_architectures
        ask_the_runtime
    fi
    check_gpus
    check_sanitizer
    check_ncu
    check_nsys

    printf '\n'
    if [ -z "$usable" ]; then
        printf 'The workbook cannot be used here yet: see the lines that begin with "fix".\n'
        return 77
    fi
    if [ "${fact[kernel]:-}" = ok ]; then
        printf 'The workbook can be used here: make grade HW=1\n'
    elif has_virtual_gpu; then
        printf 'The workbook can be used here, on the virtual GPU: make grade HW=1\n'
    else
        printf 'The workbook compiles and tests itself here; grading waits for a GPU.\n'
    fi
}

main
