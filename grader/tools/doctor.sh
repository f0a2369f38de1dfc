#!/usr/bin/env bash
# Says what this machine has, what each homework needs of it, and what to do about the difference.
#
# Every finding is a status, a subject, what was found, what that means for which homework, and the
# fix where there is one. Exit 0 when the workbook can be used (a missing GPU is no obstacle to
# that), 77 when it cannot: no nvcc that compiles, no Criterion, or a GPU too old for the toolkit.
#
# Reads what toolchain.sh reads, and RUN, the words that go before a program that needs the device.
set -euo pipefail

source "$(dirname -- "${BASH_SOURCE[0]}")/toolchain.sh"

proc=${DOCTOR_PROC:-/proc}
sys=${DOCTOR_SYS:-/sys}
width_columns=80
indent_columns=21
usable=yes
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

# 13000 or 12040 as 13.0 or 12.4
as_release() {
    printf '%d.%d\n' $(($1 / 1000)) $(($1 % 1000 / 10))
}

is_wsl() {
    [[ -r $proc/version ]] && grep -qi microsoft "$proc/version"
}

is_container() {
    [[ -e /.dockerenv || -e /run/.containerenv || -n ${container:-} ]]
}

# A display or compute controller (class 03) made by NVIDIA on the PCI bus.
has_nvidia_hardware() {
    local device vendor class
    for device in "$sys"/bus/pci/devices/*; do
        [ -r "$device/vendor" ] || continue
        read -r vendor <"$device/vendor"
        read -r class <"$device/class"
        [[ $vendor != 0x10de || $class != 0x03* ]] || return 0
    done
    return 1
}

# --- system ---

check_system() {
    local name
    name=$(sed -n 's/^PRETTY_NAME="\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' /etc/os-release 2>/dev/null) ||
        name=$(uname -s)
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
    if ! find_nvcc || ! find_cuda_files; then
        obstacle nvcc "$problem" "hw1-hw8: nothing can be compiled without it."
        return
    fi
    finding ok nvcc "CUDA $NVCC_VERSION, $NVCC"
    if ! find_host_compiler; then
        obstacle 'host compiler' "$problem" "hw1-hw8: nvcc hands the host code to it."
    elif [ -n "$CCBIN" ]; then
        finding ok 'host compiler' \
            "$CCBIN, since this nvcc refuses ${GXX_VERSION:+g++ $GXX_VERSION, }the default"
    else
        finding ok 'host compiler' "g++ ${GXX_VERSION:-that nvcc is configured for}${GXX_LIMIT:+\
 (this nvcc accepts up to $GXX_LIMIT)}"
    fi
}

# Sets probes to a folder for the two test programs; they are kept until the toolchain changes.
open_probe_folder() {
    local now
    probes=$root/build/doctor
    now=$(print_all 2>/dev/null; cksum <"$root/grader/tools/doctor.c")
    if ! mkdir -p "$probes" 2>/dev/null || [ ! -w "$probes" ]; then
        probes=$(mktemp -d)
        trap 'rm -rf -- "$probes"' EXIT
    fi
    if [ "$now" != "$(cat "$probes/made_with" 2>/dev/null)" ]; then
        rm -f -- "$probes"/*
        printf '%s\n' "$now" >"$probes/made_with" || true
    fi
}

# Compiles doctor.c as CUDA with the options of the recipes; without nvcc's help as plain C.
compile_probe() {
    local -a words
    [ ! -x "$probes/cuda" ] || return 0
    read -r -a words <<<"$GENCODE"
    [ -z "$CCBIN" ] || words+=(-ccbin "$CCBIN")
    [ ! -t 1 ] || printf 'compiling a test kernel ...\r'
    if "$NVCC" -x cu "${words[@]}" -lineinfo -cudart shared -Xlinker "-rpath,$CUDA_LIB" \
        -o "$probes/cuda" "$root/grader/tools/doctor.c" >"$probes/cuda.log" 2>&1; then
        return 0
    fi
    obstacle compiling "nvcc cannot compile a small kernel:" \
        "$(grep -v '^$' "$probes/cuda.log" | head -n 4)" \
        "hw1-hw8: nothing can be graded. Fix: \`make setup\`, or another toolkit (CUDA_HOME)."
    # shellcheck disable=SC2086  # HOST_CC may be two words
    $HOST_CC -I"$CUDA_INCLUDE" -L"$CUDA_LIB" -Wl,-rpath,"$CUDA_LIB" \
        "$root/grader/tools/doctor.c" -lcudart -o "$probes/cuda" >/dev/null 2>&1 || return 1
}

# Fills fact and gpu_lines from the test program.
ask_the_runtime() {
    local line
    local -a before
    read -r -a before <<<"${RUN:-}"
    while IFS= read -r line; do
        case $line in
        gpu=*) gpu_lines+=("$line") ;;
        *=*) fact[${line%%=*}]=${line#*=} ;;
        esac
    done < <("${before[@]}" timeout 60 "$probes/cuda" 2>/dev/null)
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
    local version words_before words_after
    if [ -z "${HOST_CC:-}" ]; then
        find_host_compiler 2>/dev/null || true
    fi
    if [ -z "${HOST_CC:-}" ] || ! find_criterion; then
        obstacle Criterion "$problem" "hw1-hw8: it runs the graders."
        return
    fi
    read -r -a words_before <<<"$CRITERION_CFLAGS"
    read -r -a words_after <<<"$CRITERION_LIBS"
    if [ ! -x "$probes/criterion" ]; then
        # shellcheck disable=SC2086  # HOST_CC may be two words
        (cd -- "$root" && printf '#include <criterion/criterion.h>\nTest(a, b)\n{\n}\n' |
            $HOST_CC "${words_before[@]}" -x c - -x none -o "$probes/criterion" \
                "${words_after[@]}") >"$probes/criterion.log" 2>&1 || true
    fi
    if version=$("$probes/criterion" --version 2>"$probes/criterion.log"); then
        version=$(grep -o '[0-9][0-9.]*' <<<"$version" | head -n 1)
        finding ok Criterion "${version:-found}, from $CRITERION_FROM"
    else
        obstacle Criterion "found through $CRITERION_FROM, but a test does not build or start:" \
            "$(head -n 3 "$probes/criterion.log")" \
            "hw1-hw8: nothing can be graded. Fix: \`make setup\`, or correct CRITERION."
    fi
}

# --- driver and GPU ---

driver_release() {
    local text=''
    [ ! -r "$proc/driver/nvidia/version" ] || text=$(head -n 1 "$proc/driver/nvidia/version")
    if [[ $text =~ ([0-9]{3,}\.[0-9.]+) ]]; then
        printf '%s\n' "${BASH_REMATCH[1]}"
        return
    fi
    text=$(command -v nvidia-smi) || text=/usr/lib/wsl/lib/nvidia-smi
    [ ! -x "$text" ] || timeout 20 "$text" --query-gpu=driver_version --format=csv,noheader \
        2>/dev/null | grep -m 1 -E '^[0-9.]+$' || true
}

# What the homeworks lose where there is no GPU.
without_gpu() {
    if [ -d "$root/grader/virtual_gpu" ]; then
        printf '%s\n' "hw1-hw8: graded on the virtual GPU, which \`make grade\` takes by itself;\
 times are modelled."
    else
        printf '%s\n' "hw1-hw8: everything compiles and \`make test\` runs. \`make grade\` needs a\
 GPU and says CANNOT GRADE."
    fi
}

# The reason why no GPU is seen, and the fix. cudaErrorInsufficientDriver without any driver means
# no more than that there is none.
check_missing_gpu() {
    local error=${fact[error]:-} release=$1
    if [[ $error == cudaErrorInsufficientDriver && ${fact[driver]:-0} != 0 ]]; then
        return
    fi
    if [ -n "${CUDA_VISIBLE_DEVICES+set}" ]; then
        finding note GPU "none is visible, and CUDA_VISIBLE_DEVICES is '$CUDA_VISIBLE_DEVICES'" \
            "$(without_gpu)" "Fix: unset CUDA_VISIBLE_DEVICES if it hides the GPU."
    elif [ -n "$release" ]; then
        finding fix GPU "driver $release is loaded, and no GPU answers (${error:-unknown})" \
            "$(without_gpu)" "Fix: see what \`nvidia-smi\` says; after an update of the driver,\
 restart the machine."
    elif has_nvidia_hardware; then
        finding fix GPU "an NVIDIA GPU is in this machine, but no driver for it is loaded" \
            "$(without_gpu)" "Fix: install the NVIDIA driver that your distribution offers, and\
 restart the machine."
    elif command -v sbatch >/dev/null; then
        finding note GPU "none is visible: this looks like the login node of a cluster" \
            "$(without_gpu)" "Fix: grade on a node with a GPU, RUN='srun -n1 -G1', and name its\
 architecture, such as ARCH=90."
    elif is_container; then
        finding note GPU "none is visible in this container" "$(without_gpu)" \
            "Fix: where the host has a GPU, start the container with it (docker: --gpus all)."
    elif is_wsl; then
        finding note GPU "none is visible" "$(without_gpu)" \
            "Fix: install NVIDIA's driver on Windows, then \`wsl --shutdown\`."
    else
        finding note GPU "none is visible, and no driver" "$(without_gpu)"
    fi
}

# The oldest driver that runs programs of a toolkit, by the toolkit's major release.
oldest_driver() {
    case $1 in
    11) printf '450\n' ;;
    12) printf '525\n' ;;
    13) printf '580\n' ;;
    esac
}

check_driver() {
    local release=$1 driver=${fact[driver]:-0} runtime=${fact[runtime]:-0}
    local toolkit_major=$((runtime / 1000)) driver_major=$((driver / 1000)) oldest
    oldest=$(oldest_driver "$toolkit_major")
    ((driver > 0 && runtime > 0)) || return 0
    if ((runtime <= driver)); then
        finding ok driver "${release:-loaded}, for CUDA up to $(as_release "$driver"):\
 matches the toolkit"
    elif ((toolkit_major == driver_major)); then
        finding note driver "${release:-loaded}, for CUDA $(as_release "$driver"); the toolkit,\
 $(as_release "$runtime"), is newer" \
            "hw1-hw8: machine code runs, PTX does not, so the recipes must build for this very\
 GPU. Fix: a newer driver, or a toolkit up to $(as_release "$driver")."
    else
        finding fix driver "${release:-loaded}, for CUDA $(as_release "$driver"); the toolkit,\
 $(as_release "$runtime"), is too new for it" \
            "hw1-hw8: nothing that is built here runs on the GPU." \
            "Fix: driver ${oldest:+$oldest or }newer, or a toolkit up to $(as_release "$driver")\
 (set CUDA_HOME)."
    fi
}

# The value of one key of a line of the test program.
value_of() {
    local line=$'\t'$2
    [[ $line == *$'\t'"$1="* ]] || return 0
    line=${line#*$'\t'"$1="}
    printf '%s\n' "${line%%$'\t'*}"
}

# Speed tasks work on max(256 MiB, 4 x L2), and never on more than a quarter of the free memory.
check_memory() {
    local line=$1 free_mib=${fact[free_mib]:-} l2_kib wanted_mib
    l2_kib=$(value_of l2_kib "$line")
    wanted_mib=$((4 * l2_kib / 1024))
    ((wanted_mib > 256)) || wanted_mib=256
    wanted_mib=$((4 * wanted_mib))
    if [ -z "$free_mib" ]; then
        finding fix memory "the GPU gives none (${fact[memory_error]:-unknown})" \
            "hw1-hw8: nothing runs on it. Fix: end the other programs on this GPU (\`nvidia-smi\`)."
    elif ((free_mib < wanted_mib)); then
        finding note memory "$free_mib MiB of $(value_of memory_mib "$line") MiB are free" \
            "hw1-hw8: speed tasks want $wanted_mib MiB free and may be INCONCLUSIVE." \
            "Fix: end the other programs on this GPU (\`nvidia-smi\`)."
    else
        finding ok memory "$free_mib MiB of $(value_of memory_mib "$line") MiB are free;\
 speed tasks want $wanted_mib"
    fi
}

check_kernel() {
    local answer=${fact[kernel]:-}
    case $answer in
    ok) finding ok kernel "a kernel built by these recipes runs on the GPU" ;;
    'not compiled') ;;
    cudaErrorNoKernelImageForDevice | cudaErrorUnsupportedPtxVersion)
        finding fix kernel "the GPU has no code it can run ($answer)" \
            "hw1-hw8: every launch fails. Fix: name the GPU's architecture, such as ARCH=90, or\
 use a newer driver."
        ;;
    cudaErrorDevicesUnavailable)
        finding fix kernel "another program holds the GPU for itself ($answer)" \
            "hw1-hw8: wait for it, or ask the administrator about the compute mode."
        ;;
    *)
        finding fix kernel "a kernel does not run: ${answer:-the test program gave no answer}" \
            "hw1-hw8: nothing runs on the GPU. Fix: restart the machine; else another driver."
        ;;
    esac
}

check_managed_and_cooperative() {
    local line=$1
    if [ "$(value_of concurrent_managed "$line")" = 1 ]; then
        finding ok 'managed memory' "concurrent access: hw5 runs in full"
    else
        finding note 'managed memory' "no concurrent access by CPU and GPU" \
            "hw5: prefetching and hints return an error, and the CPU must wait for the GPU; your\
 code must ask first, and no points are lost."
    fi
    if [ "$(value_of cooperative "$line")" = 1 ]; then
        finding ok cooperative "cooperative launch: hw8.4 to hw8.6 run"
    else
        finding note cooperative "no cooperative launch" \
            "hw8.4 to hw8.6: no grid barrier on this GPU; they must refuse cleanly."
    fi
}

check_gpus() {
    local line release names=() name
    release=$(driver_release)
    check_driver "$release"
    if ((${#gpu_lines[@]} == 0)); then
        check_missing_gpu "$release"
        return
    fi
    for line in "${gpu_lines[@]}"; do
        name=$(value_of name "$line")
        names+=("$name, compute capability $(with_dot "$(value_of capability "$line")")")
    done
    finding ok GPU "${names[@]}"
    if ((${#gpu_lines[@]} == 1)); then
        finding ok 'GPUs in all' "1: hw6.5, which splits its work over all, is judged on one too"
    else
        finding ok 'GPUs in all' "${#gpu_lines[@]}: hw6.5 uses all of them, the rest the first"
    fi
    check_memory "${gpu_lines[0]}"
    check_kernel
    check_managed_and_cooperative "${gpu_lines[0]}"
}

# --- tools ---

# Prints the path of a tool: on the path, beside nvcc, or where its own package puts it.
find_tool() {
    local name=$1 candidate
    command -v -- "$name" && return 0
    for candidate in "${NVCC%/*}/$name" "${NVCC%/*}/../$name/$name" \
        /opt/nvidia/nsight-compute/*/"$name" /opt/nvidia/nsight-systems/*/bin/"$name"; do
        if [ -x "$candidate" ]; then
            printf '%s\n' "$candidate"
            return 0
        fi
    done
    return 1
}

# Runs a tool on the test kernel; its output goes to a file. Only for machines where that runs.
try_tool() {
    local -a before
    read -r -a before <<<"${RUN:-}"
    [ ! -t 1 ] || printf 'trying %s ...\r' "$(basename -- "$1")"
    "${before[@]}" timeout 120 "$@" "$probes/cuda" >"$probes/tool.log" 2>&1
}

check_sanitizer() {
    local tool
    if ! tool=$(find_tool compute-sanitizer); then
        finding note sanitizer "compute-sanitizer is not installed" \
            "hw1-hw8: \`make sanitize\` needs it on a GPU; grading does not. Fix: it comes with\
 the full CUDA toolkit."
    elif [ "${fact[kernel]:-}" != ok ]; then
        finding ok sanitizer "$tool (not tried: it needs a GPU)"
    elif try_tool "$tool"; then
        finding ok sanitizer "$tool works here"
    else
        finding note sanitizer "$tool does not work on this GPU:" \
            "$(grep -m 2 -i -E 'error|not supported' "$probes/tool.log")" \
            "hw1-hw8: \`make sanitize\` fails here; grading does not need it."
    fi
}

counters_are_for_root_only() {
    grep -q -E '^RmProfilingAdminOnly: *1' "$proc/driver/nvidia/params" 2>/dev/null
}

counters_forbidden() {
    finding note ncu "$1" \
        "hw7: \`make profile\` cannot read the hardware counters (ERR_NVGPUCTRPERM); grading does\
 not need them." \
        "Fix: the administrator sets NVreg_RestrictProfilingToAdminUsers=0 for the nvidia module\
 and reloads it; in a container: --cap-add SYS_ADMIN."
}

check_ncu() {
    local tool
    if ! tool=$(find_tool ncu); then
        finding note ncu "Nsight Compute is not installed" \
            "hw7: \`make profile\` reads the hardware counters with it; grading does not. Fix: the\
 package nsight-compute."
    elif [ "${fact[kernel]:-}" != ok ]; then
        finding ok ncu "$tool (not tried: it needs a GPU)"
    elif try_tool "$tool" --metrics sm__cycles_elapsed.max && ! grep -q '==ERROR==' "$probes/tool.log"
    then
        finding ok ncu "$tool reads the hardware counters"
    elif grep -q ERR_NVGPUCTRPERM "$probes/tool.log"; then
        counters_forbidden "$tool is there, but this user may not read the counters"
    else
        finding note ncu "$tool does not work on this GPU:" \
            "$(grep -m 2 -E '==ERROR==|error' "$probes/tool.log" || tail -n 2 "$probes/tool.log")" \
            "hw7: \`make profile\` fails here; grading does not need it."
    fi
    if [ -z "$tool" ] && ((EUID != 0)) && counters_are_for_root_only; then
        counters_forbidden "the driver keeps the counters for the administrator"
    fi
}

check_nsys() {
    local tool
    if tool=$(find_tool nsys); then
        finding ok nsys "$tool"
    else
        finding note nsys "Nsight Systems is not installed" \
            "hw6: \`make profile\` draws its timeline from it; grading does not need it. Fix: the\
 package nsight-systems."
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
    elif [ -d "$root/grader/virtual_gpu" ]; then
        printf 'The workbook can be used here, on the virtual GPU: make grade HW=1\n'
    else
        printf 'The workbook compiles and tests itself here; grading waits for a GPU.\n'
    fi
}

main
