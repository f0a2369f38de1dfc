#!/usr/bin/env bash
# The tools around the homeworks: checks of doctor.sh, which sources this file.
# shellcheck disable=SC2154  # probes and machine come from doctor.sh, NVCC from toolchain.sh
set -euo pipefail

# Prints the path of a tool: on the path, beside nvcc, or where its own package puts it.
find_tool() {
    local name=$1 candidate folder=${NVCC:-}
    folder=${folder%/nvcc}
    command -v -- "$name" && return 0
    for candidate in "${folder:-.}/$name" "${folder:-.}/../$name/$name" \
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
    [ ! -t 1 ] || printf 'trying %s ...\r' "${1##*/}"
    with_runtime "$@" "$probe" >"$probes/tool.log" 2>&1
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
    grep -q -E '^RmProfilingAdminOnly: *1' "$machine/proc/driver/nvidia/params" 2>/dev/null
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
    elif try_tool "$tool" --metrics sm__cycles_elapsed.max &&
        ! grep -q '==ERROR==' "$probes/tool.log"; then
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
            "hw6: it shows a measured timeline, where \`make profile\` draws a modelled one; grading does\
 not need it. Fix: the package nsight-systems."
    fi
}
