# A machine for the tests of toolchain.sh, setup.sh and doctor.sh: an own tree, an own PATH with
# ordinary tools and made-up compilers, toolkits and packages. Sourced after tap.sh, from the root.
#
#   machine    the folder that holds it all; goes away at the end
#   tree       a copy of grader/tools under a path with blanks
# shellcheck shell=bash
# shellcheck disable=SC2034  # outcome, out and err are read by the tests
# shellcheck disable=SC2016  # what stands in quotes is for the made-up programs to expand
set -euo pipefail

machine=$(mktemp -d)
trap 'rm -rf -- "$machine"' EXIT
tree="$machine/a tree"
project=$PWD

# fake PATH: a program of that name with the script on stdin.
fake() {
    mkdir -p "$(dirname -- "$1")"
    rm -f -- "$1"
    { printf '#!/bin/bash\n' && cat; } > "$1"
    chmod +x "$1"
}

# A machine with ordinary tools, a C and a C++ compiler and Criterion, without a CUDA toolkit.
new_machine() {
    local tool
    rm -rf -- "$machine"
    mkdir -p "$machine/bin" "$tree/grader/tools" "$machine/etc"
    for tool in awk basename bash cat chmod cksum cmp cp cut date df dirname env find fold grep \
        head id ln ls mkdir mktemp mv printf readlink rm sed sleep sort tail tee timeout touch tr \
        uname; do
        ln -s "$(type -P "$tool")" "$machine/bin/$tool"
    done
    cp -- "$project"/grader/tools/{toolchain,setup,setup_*,doctor,doctor_*}.sh "$tree/grader/tools/"
    cp -- "$project/grader/tools/doctor.c" "$tree/grader/tools/"
    : > "$tree/Makefile"
    make_gcc gcc
    make_gxx g++ 12
    make_criterion
}

# make_gcc NAME: accepts everything, and reads what it is given (else the writer would fail).
make_gcc() {
    fake "$machine/bin/$1" <<< '[[ "$*" != *" -" ]] || cat > /dev/null'
}

# make_gxx NAME VERSION
make_gxx() {
    fake "$machine/bin/$1" <<< "echo $2"
}

# Criterion through pkg-config.
make_criterion() {
    fake "$machine/bin/pkg-config" << 'END'
[ "$2" = criterion ] || exit 1
case $1 in
--cflags) echo '-DFROM_PKG_CONFIG' ;;
--libs) echo '-lcriterion' ;;
--variable=libdir) echo /usr/lib ;;
esac
END
}

# make_toolkit FOLDER RELEASE NEWEST_GCC ARCHITECTURE...
make_toolkit() {
    local folder=$1 release=$2 newest_gcc=$3
    shift 3
    mkdir -p "$folder/include/crt" "$folder/include/cuda/std" "$folder/lib64"
    touch "$folder/include/cuda_runtime.h" "$folder/include/cuda/std/type_traits" \
        "$folder/lib64/libcudart.so"
    printf '#if __GNUC__ > %s\n#error\n#endif\n' "$newest_gcc" > "$folder/include/crt/host_config.h"
    fake "$folder/bin/nvcc" << END
case \$1 in
--version) echo "Cuda compilation tools, release $release, V$release.1" ;;
--list-gpu-arch) printf 'compute_%s\n' $* ;;
-E) exit 1 ;;
esac
END
}

# make_gpus CAPABILITY...: nvidia-smi, which notes each call.
make_gpus() {
    fake "$machine/bin/nvidia-smi" << END
echo "\$*" >> "$machine/smi_calls"
case "\$*" in
*compute_cap*) printf '%s\n' $* ;;
*driver_version*) echo 580.65.06 ;;
*) echo '| NVIDIA-SMI 580.65.06   Driver Version: 580.65.06   CUDA Version: 12.4     |' ;;
esac
END
}

# run PROGRAM [VARIABLE=VALUE...] [-- ARGUMENT...]: a script of grader/tools on this machine. Sets
# outcome to its exit code, and out and err to what it printed.
run() {
    local program=$tree/grader/tools/$1
    local -a variables=()
    shift
    while (($# > 0)) && [ "$1" != -- ]; do
        variables+=("$1")
        shift
    done
    (($# == 0)) || shift
    outcome=0
    env -i PATH="$machine/bin" HOME="$machine" TOOLKIT_FOLDERS= "${variables[@]}" \
        "$program" "$@" < /dev/null > "$machine/out" 2> "$machine/err" || outcome=$?
    out=$(cat "$machine/out")
    err=$(cat "$machine/err")
}

# holds TEXT PATTERN: a line of the text matches the extended regular expression.
holds() {
    grep -qE -- "$2" <<< "$1" || { printf '%s\n' "does not match $2:" "$1" && false; }
}

lacks() {
    ! holds "$1" "$2" > /dev/null || { printf '%s\n' "matches $2:" "$1" && false; }
}

is() {
    [ "$1" = "$2" ] || { printf '%s\n' "got:    $1" "wanted: $2" && false; }
}

# refused PATTERN: the last run ended with 77, printed nothing, and one sentence that matches.
refused() {
    is "$outcome" 77 && is "$out" '' && is "$(wc -l <<< "$err")" 1 && holds "$err" "$1"
}

# value KEY: what the last run of toolchain.sh assigns to it, read as the recipes read it.
value() {
    (
        # shellcheck source=/dev/null
        . "$machine/out"
        printf '%s\n' "${!1}"
    )
}
