#!/usr/bin/env bash
# The driver, the GPUs, and what they can do: checks of doctor.sh, which sources this file.
# shellcheck disable=SC2154  # machine, probes, root and the facts come from doctor.sh
set -euo pipefail

# 13000 or 12040 as 13.0 or 12.4
as_release() {
    printf '%d.%d\n' $(($1 / 1000)) $(($1 % 1000 / 10))
}

# A display or compute controller (class 03) made by NVIDIA on the PCI bus.
has_nvidia_hardware() {
    local device vendor class
    for device in "$machine"/sys/bus/pci/devices/*; do
        [ -r "$device/vendor" ] || continue
        read -r vendor <"$device/vendor"
        read -r class <"$device/class"
        [[ $vendor != 0x10de || $class != 0x03* ]] || return 0
    done
    return 1
}

# Fills fact and gpu_lines from the test program.
ask_the_runtime() {
    local line
    while IFS= read -r line; do
        case $line in
        gpu=*) gpu_lines+=("$line") ;;
        *=*) fact[${line%%=*}]=${line#*=} ;;
        esac
    done < <(with_runtime "$probe" 2>/dev/null)
}

driver_release() {
    local text='' file=$machine/proc/driver/nvidia/version
    [ ! -r "$file" ] || text=$(head -n 1 "$file")
    if [[ $text =~ ([0-9]{3,}\.[0-9.]+) ]]; then
        printf '%s\n' "${BASH_REMATCH[1]}"
        return
    fi
    text=$(command -v nvidia-smi) || text=/usr/lib/wsl/lib/nvidia-smi
    [ ! -x "$text" ] || timeout 20 "$text" --query-gpu=driver_version --format=csv,noheader \
        2>/dev/null | grep -m 1 -E '^[0-9.]+$' || true
}

# Can this workbook grade without a GPU? Its Makefile then builds the virtual one.
has_virtual_gpu() {
    grep -q virtual_gpu "$root/Makefile" 2>/dev/null
}

# What the homeworks lose where there is no GPU.
without_gpu() {
    if [ -z "$usable" ]; then
        printf 'hw1-hw8: mend the lines above first; grading also needs a GPU.\n'
    elif has_virtual_gpu; then
        printf '%s\n' "hw1-hw8: graded on the virtual GPU, which \`make grade\` takes by itself;\
 speed is modelled there, not measured."
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
    # Without a GPU the driver's library alone may be there, which says nothing.
    [[ -n $release || ${#gpu_lines[@]} -gt 0 ]] && ((driver > 0 && runtime > 0)) || return 0
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
        finding ok 'GPUs in all' "1: hw6.5, which uses all there are, is judged on one too"
    else
        finding ok 'GPUs in all' "${#gpu_lines[@]}: hw6.5 uses all of them, the rest the first"
    fi
    check_memory "${gpu_lines[0]}"
    check_kernel
    check_managed_and_cooperative "${gpu_lines[0]}"
}
