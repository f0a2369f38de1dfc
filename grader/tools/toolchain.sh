#!/usr/bin/env bash
# Finds what the recipes need and prints it as shell assignments, one KEY='value' a line.
#
#   NVCC NVCC_VERSION          the compiler driver and its release, such as 13.0
#   CUDA_INCLUDE CUDA_LIB      the folders of cuda_runtime.h and libcudart.so
#   HOST_CC CCBIN              the C compiler; and words for nvcc that choose its host compiler,
#                              such as -ccbin /usr/bin/g++-11: none when its own choice is right
#   CRITERION_CFLAGS           words for the C compiler
#   CRITERION_LIBS             words for the C compiler when it links, with run paths
#   GPU_ARCH PTX_ARCH          the GPU found here, empty if there is none or this toolkit makes no
#                              machine code for it; and the PTX that is built
#   GENCODE                    words for nvcc: uncompressed PTX, sm_80, machine code for the GPU
#
# A variable of several words holds none with a blank in it, so `$GENCODE` without quotes is right,
# also in a tree whose path has spaces. In such a tree the words are relative to its root: run the
# recipes there, as Make does.
#
# Reads NVCC, CUDA_HOME, CUDA_PATH, CUDA_ROOT, CC, NVCC_CCBIN, CUDAHOSTCXX, CRITERION, ARCH,
# PTX_ARCH and DEVICE. When something is missing: one sentence on stderr, exit 77.
#
# setup.sh and doctor.sh source this file and call the find_… functions. Each of them sets the
# variables above and returns 0, or sets `problem` to a sentence and returns 1.
# shellcheck disable=SC2034  # print_all, setup.sh and doctor.sh read these variables
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
oldest_nvcc=11.8
problem=''

# Where toolkits are installed when nothing in the environment says where.
toolkit_folders=${TOOLKIT_FOLDERS-/usr/local/cuda /usr/local/cuda-* /opt/cuda}

# at_least 12.4 11.8: is the first release the same as the second, or newer?
at_least() {
    local minor_here=${1#*.} minor_wanted=${2#*.}
    ((${1%%.*} * 1000 + ${minor_here%%.*} >= ${2%%.*} * 1000 + ${minor_wanted%%.*}))
}

# The release of one nvcc, such as 12.4; fails when the file does not run or is no nvcc.
release_of() {
    local text
    text=$("$1" --version 2>/dev/null) || return 1
    [[ $text =~ release\ ([0-9]+\.[0-9]+) ]] || return 1
    printf '%s\n' "${BASH_REMATCH[1]}"
}

# One path a line, best first. An NVCC that was asked for by name is the only candidate.
nvcc_candidates() {
    local home
    if [ -n "${NVCC:-}" ]; then
        command -v -- "$NVCC" || true
        return
    fi
    for home in "${CUDA_HOME:-}" "${CUDA_PATH:-}" "${CUDA_ROOT:-}"; do
        [ -z "$home" ] || printf '%s\n' "$home/bin/nvcc"
    done
    command -v nvcc || true
    # Folders without a release in their name come first, then the newest release.
    # shellcheck disable=SC2086  # the pattern expands here
    printf '%s/bin/nvcc\n' $toolkit_folders | grep -v -e '-[0-9]' || true
    # shellcheck disable=SC2086
    printf '%s/bin/nvcc\n' $toolkit_folders | grep -e '-[0-9]' | sort -V -r || true
}

find_nvcc() {
    local candidate release old='' old_release=''
    while IFS= read -r candidate; do
        [[ -x $candidate && ! -d $candidate ]] || continue
        release=$(release_of "$candidate") || continue
        if at_least "$release" "$oldest_nvcc"; then
            NVCC=$candidate
            NVCC_VERSION=$release
            return 0
        fi
        [ -n "$old" ] || { old=$candidate && old_release=$release; }
    done < <(nvcc_candidates)

    if [ -n "$old" ]; then
        problem="$old is release $old_release, and the workbook needs CUDA $oldest_nvcc or newer:"
        problem+=" run \`make setup\`, or set CUDA_HOME to a newer toolkit."
    elif [ -n "${NVCC:-}" ]; then
        problem="NVCC=$NVCC is not an nvcc that runs: correct it, or unset it."
    else
        problem="No nvcc was found: run \`make setup\`, or say where the CUDA toolkit is"
        problem+=" (CUDA_HOME=/path, or \`module load cuda\`)."
    fi
    return 1
}

# Prints the first of the folders after the name that holds that file.
folder_with() {
    local name=$1 folder
    shift
    for folder in "$@"; do
        if [ -e "$folder/$name" ]; then
            printf '%s\n' "$folder"
            return 0
        fi
    done
    return 1
}

# The quoted folders in what nvcc says it would do: for toolkits with a layout of their own.
folders_nvcc_names() {
    local flag=$1
    "$NVCC" --dryrun -x cu /dev/null 2>&1 | grep -E '^#\$ (INCLUDES|LIBRARIES)=' |
        grep -oE -e "\"${flag}[^\"]+\"|${flag}[^ \"]+" | tr -d '"' | sed "s/^$flag//" || true
}

# Sets CUDA_INCLUDE and CUDA_LIB.
find_cuda_files() {
    local target=$HOSTTYPE-linux top real
    local -a tops more
    [ "$HOSTTYPE" != aarch64 ] || target=sbsa-linux
    real=$(readlink -f -- "$NVCC")
    tops=("$(dirname -- "$(dirname -- "$NVCC")")" "$(dirname -- "$(dirname -- "$real")")")
    local -a include_folders=() lib_folders=()
    for top in "${tops[@]}"; do
        include_folders+=("$top/include" "$top/targets/$target/include")
        lib_folders+=("$top/lib64" "$top/targets/$target/lib" "$top/lib"
            "$top/lib/$HOSTTYPE-linux-gnu")
    done
    CUDA_INCLUDE=$(folder_with cuda_runtime.h "${include_folders[@]}") || {
        mapfile -t more < <(folders_nvcc_names -I)
        CUDA_INCLUDE=$(folder_with cuda_runtime.h "${more[@]}" /usr/include) || {
            problem="$NVCC has no cuda_runtime.h beside it: the toolkit is incomplete"
            problem+=" (its runtime headers are missing); run \`make setup\`, or reinstall it."
            return 1
        }
    }
    CUDA_LIB=$(folder_with libcudart.so "${lib_folders[@]}") || {
        mapfile -t more < <(folders_nvcc_names -L)
        CUDA_LIB=$(folder_with libcudart.so "${more[@]}" "/usr/lib/$HOSTTYPE-linux-gnu") || {
            problem="$NVCC has no libcudart.so beside it: the toolkit is incomplete"
            problem+=" (its runtime library is missing); run \`make setup\`, or reinstall it."
            return 1
        }
    }
}

# Can this path stand in a list of words, and in -Wl, options?
is_plain_path() {
    [[ $1 != *[[:space:],\'\"\\\$\`\*\?\[\]\;\&\|\<\>\(\)]* ]]
}

# The folder as a word: itself where it is plain; else relative to the root of the tree, by a
# link in build/ where it lies outside. Sets `word` and, for the linker, `run_paths`.
folder_as_word() {
    local folder=$1 up
    run_paths=''
    if is_plain_path "$folder"; then
        word=$folder
        run_paths=" -Wl,-rpath,$word"
        return
    fi
    if [[ $folder == "$root"/build/* ]]; then
        word=${folder#"$root"/}
    else
        mkdir -p "$root/build/links"
        ln -sfn -- "$folder" "$root/build/links/$2"
        word=build/links/$2
    fi
    # The program lies in build/ or up to three folders below it.
    for up in '' /.. /../.. /../../..; do
        # The dynamic loader expands $ORIGIN, not this shell.
        # shellcheck disable=SC2016
        run_paths+=' -Wl,-rpath,$ORIGIN'"$up/${word#build/}"
    done
}

ccbin_as_words() {
    local word run_paths
    folder_as_word "$(dirname -- "$1")" host-compiler
    CCBIN="-ccbin $word/$(basename -- "$1")"
}

# The newest GCC that this toolkit's own header, crt/host_config.h, lets through; empty if unknown.
newest_gcc_allowed() {
    sed -n 's/^#if __GNUC__ > \([0-9][0-9]*\).*/\1/p' \
        "$CUDA_INCLUDE/crt/host_config.h" 2>/dev/null | head -n 1
}

# Sets HOST_CC.
find_c_compiler() {
    local candidate
    HOST_CC=''
    for candidate in "${CC:-}" gcc cc clang; do
        if [ -n "$candidate" ] && command -v -- "${candidate%% *}" >/dev/null; then
            HOST_CC=$candidate
            return 0
        fi
    done
    problem="No C compiler was found: run \`make setup\`, which installs gcc."
    return 1
}

# Sets HOST_CC, CCBIN and, for the doctor, GXX_VERSION and GXX_LIMIT (both may be empty).
find_host_compiler() {
    local chosen version compiler
    CCBIN='' GXX_VERSION='' GXX_LIMIT=''
    find_c_compiler || return 1
    GXX_LIMIT=$(newest_gcc_allowed)
    chosen=${NVCC_CCBIN:-${CUDAHOSTCXX:-}}
    if [ -n "$chosen" ]; then
        compiler=$(command -v -- "$chosen") && ccbin_as_words "$compiler" && return 0
        problem="The host compiler $chosen, which NVCC_CCBIN or CUDAHOSTCXX names, does not exist."
        return 1
    fi
    [[ ${NVCC_PREPEND_FLAGS:-}${NVCC_APPEND_FLAGS:-} != *-ccbin* ]] || return 0

    GXX_VERSION=$(g++ -dumpversion 2>/dev/null) || GXX_VERSION=''
    GXX_VERSION=${GXX_VERSION%%.*}
    [[ $GXX_VERSION == +([0-9]) ]] || GXX_VERSION=''
    if [[ -n $GXX_VERSION && -n $GXX_LIMIT ]]; then
        ((GXX_VERSION > GXX_LIMIT)) || return 0
    fi
    for ((version = ${GXX_LIMIT:-0}; version >= 7; version--)); do
        compiler=$(command -v "g++-$version") && ccbin_as_words "$compiler" && return 0
    done
    # A toolkit can be configured for a compiler that none of the above sees: try it.
    "$NVCC" -E -x cu /dev/null >/dev/null 2>&1 && return 0
    if [ -z "$GXX_VERSION" ]; then
        problem="nvcc needs g++, and there is none: run \`make setup\`, which installs it."
    else
        problem="nvcc $NVCC_VERSION accepts g++ up to ${GXX_LIMIT:-an older one}, and this machine"
        problem+=" has $GXX_VERSION: run \`make setup\`, which installs a second g++,"
        problem+=" or set NVCC_CCBIN to one."
    fi
    return 1
}

# Sets the Criterion words from a folder with include/ and lib/. Libraries that Criterion needs and
# that lie beside it become direct needs of the program, since its run path reaches no further.
criterion_from_folder() {
    local folder=$1 libraries line neighbours='' word='' run_paths=''
    [ -f "$folder/include/criterion/criterion.h" ] || return 1
    libraries=$(folder_with libcriterion.so \
        "$folder/lib/$HOSTTYPE-linux-gnu" "$folder/lib64" "$folder/lib") || return 1
    while IFS= read -r line; do
        line=${line#"${line%%[![:space:]]*}"}
        case $line in
        *' => not found'*)
            problem="Criterion in $folder lacks ${line%% =>*}: run \`make setup\` again."
            return 1
            ;;
        *" => $libraries/"*) neighbours+=" -l:${line%% =>*}" ;;
        esac
    done < <(LD_LIBRARY_PATH=$libraries ldd "$libraries/libcriterion.so" 2>/dev/null)

    folder_as_word "$folder/include" criterion-include
    CRITERION_CFLAGS="-pthread -isystem $word"
    folder_as_word "$libraries" criterion-lib
    CRITERION_LIBS="-L$word$run_paths -Wl,-rpath-link,$word -lcriterion"
    CRITERION_LIBS+="${neighbours:+ -Wl,--push-state,--no-as-needed$neighbours -Wl,--pop-state}"
}

criterion_from_pkg_config() {
    local libraries
    CRITERION_CFLAGS=$(pkg-config --cflags criterion 2>/dev/null) || return 1
    CRITERION_LIBS=$(pkg-config --libs criterion 2>/dev/null) || return 1
    libraries=$(pkg-config --variable=libdir criterion) || return 1
    case $libraries/ in
    /usr/lib/* | /usr/lib64/* | /lib/*) ;;
    *) CRITERION_LIBS+=" -Wl,-rpath,$libraries" ;;
    esac
}

# Asks the compiler itself, which knows the system's folders and CPATH and LIBRARY_PATH.
criterion_from_compiler() {
    local library
    # shellcheck disable=SC2086  # HOST_CC may be two words, such as `ccache gcc`
    printf '#if !__has_include(<criterion/criterion.h>)\n#error\n#endif\n' |
        $HOST_CC -E -x c - >/dev/null 2>&1 || return 1
    # shellcheck disable=SC2086
    library=$($HOST_CC -print-file-name=libcriterion.so)
    [ -e "$library" ] || return 1
    CRITERION_CFLAGS='-pthread'
    CRITERION_LIBS="-lcriterion"
    library=$(dirname -- "$(readlink -f -- "$library")")
    case $library/ in
    /usr/lib/* | /usr/lib64/* | /lib/*) ;;
    *) ! is_plain_path "$library" || CRITERION_LIBS+=" -Wl,-rpath,$library" ;;
    esac
}

# Sets CRITERION_CFLAGS, CRITERION_LIBS and, for the doctor, CRITERION_FROM. Needs HOST_CC.
find_criterion() {
    problem='' HOST_CC=${HOST_CC:-}
    CRITERION_CFLAGS='' CRITERION_LIBS=''
    if [ -n "${CRITERION:-}" ]; then
        CRITERION_FROM="CRITERION=$CRITERION"
        criterion_from_folder "$(cd -- "$CRITERION" 2>/dev/null && pwd)" && return 0
        if [ -z "$problem" ]; then
            problem="CRITERION=$CRITERION has no include/criterion/criterion.h with a"
            problem+=" libcriterion.so in its lib: correct it, or unset it and run \`make setup\`."
        fi
        return 1
    fi
    CRITERION_FROM='pkg-config' && criterion_from_pkg_config && return 0
    CRITERION_FROM='build/deps' && criterion_from_folder "$root/build/deps/usr" && return 0
    CRITERION_FROM='the system' && criterion_from_compiler && return 0
    CRITERION_FROM=''
    if [ -z "$problem" ]; then
        problem="Criterion was not found: run \`make setup\`, or set CRITERION to the folder that"
        problem+=" holds its include and lib."
    fi
    return 1
}

# One compute capability a line, without the dot, for each GPU; nothing when there is none.
gpus_here() {
    local smi answer=''
    smi=$(command -v nvidia-smi) || smi=/usr/lib/wsl/lib/nvidia-smi
    if [ -x "$smi" ]; then
        answer=$(timeout 20 "$smi" --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
            sed -n 's/^ *\([0-9][0-9]*\)\.\([0-9]\) *$/\1\2/p') || answer=''
    fi
    # Old drivers lack that query, and some containers lack nvidia-smi: nvcc has a program for it.
    if [[ -z $answer && (-e /dev/nvidiactl || -e /dev/dxg) ]]; then
        answer=$(timeout 20 "$(dirname -- "$NVCC")/__nvcc_device_query" 2>/dev/null |
            tr ',' '\n' | sed -n 's/^ *\([0-9][0-9]*\) *$/\1/p') || answer=''
    fi
    [ -z "$answer" ] || printf '%s\n' "$answer"
}

# Is the first word among the others?
is_among() {
    local wanted=$1 word
    shift
    for word in "$@"; do
        [ "$word" != "$wanted" ] || return 0
    done
    return 1
}

# 90 as 9.0
with_dot() {
    printf '%s.%s\n' "${1%?}" "${1: -1}"
}

# Release 11.8 assembles sm_90 but crashes there on -lineinfo with a grid barrier, so it leaves
# that GPU's machine code to the driver, which makes it from the PTX.
can_assemble() {
    [[ $1 != 90 ]] || at_least "$NVCC_VERSION" 12.0
}

# The architectures that ARCH asks for, one a line, checked against those that the toolkit knows.
wanted_by_arch() {
    local arch number
    for arch in ${ARCH//,/ }; do
        number=${arch#sm_}
        number=${number#compute_}
        number=${number//./}
        if ! is_among "$number" "$@"; then
            printf '%s\n' "$arch"
            return 1
        fi
        printf '%s\n' "$number"
    done
}

# Sets wanted to what ARCH asks for, or to the GPUs here that this toolkit can build for; and, for
# the doctor, gpus to all of them.
find_wanted_architectures() {
    local arch oldest_known=${known[0]}
    gpus=() wanted=()
    if [[ -n ${ARCH:-} && $ARCH != native ]]; then
        mapfile -t wanted < <(wanted_by_arch "${known[@]}")
        arch=${wanted[-1]:-$ARCH}
        is_among "$arch" "${known[@]}" && return 0
        problem="ARCH=$ARCH: CUDA $NVCC_VERSION does not know $arch; it knows ${known[*]}."
        return 1
    fi
    mapfile -t gpus < <(gpus_here)
    for arch in "${gpus[@]}"; do
        ((arch < oldest_known)) || is_among "$arch" "${wanted[@]}" || wanted+=("$arch")
    done
    ((${#gpus[@]} > 0 && ${#wanted[@]} == 0)) || return 0
    [ "${DEVICE:-}" != virtual ] || return 0
    problem="This GPU has compute capability $(with_dot "${gpus[0]}"), and CUDA $NVCC_VERSION needs"
    problem+=" $(with_dot "$oldest_known") or newer: set CUDA_HOME to an older toolkit"
    problem+=" (11.8 or 12), or use another GPU."
    return 1
}

# Sets GPU_ARCH, PTX_ARCH and GENCODE. Needs NVCC and NVCC_VERSION.
find_architectures() {
    local arch lowest=''
    local -a known wanted
    mapfile -t known < <("$NVCC" --list-gpu-arch | sed -n 's/^compute_\([0-9]*\)$/\1/p' | sort -n)
    if ((${#known[@]} == 0)); then
        problem="$NVCC names no architecture that it compiles for: reinstall the toolkit."
        return 1
    fi
    find_wanted_architectures || return 1

    for arch in "${wanted[@]}"; do
        if [ -z "$lowest" ] || ((arch < lowest)); then
            lowest=$arch
        fi
    done
    if [ -z "${PTX_ARCH:-}" ]; then
        PTX_ARCH=80
        [ -z "$lowest" ] || ((lowest >= PTX_ARCH)) || PTX_ARCH=$lowest
    elif ! is_among "$PTX_ARCH" "${known[@]}"; then
        problem="PTX_ARCH=$PTX_ARCH: CUDA $NVCC_VERSION does not know it; it knows ${known[*]}."
        return 1
    fi

    GPU_ARCH=''
    GENCODE="-gencode arch=compute_$PTX_ARCH,code=compute_$PTX_ARCH"
    GENCODE+=' -gencode arch=compute_80,code=sm_80'
    for arch in "${wanted[@]}"; do
        if is_among "$arch" "${known[@]}" && can_assemble "$arch"; then
            GPU_ARCH=${GPU_ARCH:-$arch}
            [ "$arch" = 80 ] || GENCODE+=" -gencode arch=compute_$arch,code=sm_$arch"
        fi
    done
    GENCODE+=' -no-compress'
}

# Where the compilers put their files on the way, and the workbook's scripts theirs.
find_scratch() {
    local folder=${TMPDIR:-/tmp}
    [ ! -d "$folder" ] || [ ! -w "$folder" ] || return 0
    problem="$folder, where compilers put their files on the way, is no folder that can be written:"
    problem+=" set TMPDIR to one."
    return 1
}

find_all() {
    find_scratch && find_nvcc && find_cuda_files && find_host_compiler && find_criterion && find_architectures
}

print_all() {
    local key
    for key in NVCC NVCC_VERSION CUDA_INCLUDE CUDA_LIB HOST_CC CCBIN CRITERION_CFLAGS \
        CRITERION_LIBS GPU_ARCH PTX_ARCH GENCODE; do
        printf "%s='%s'\n" "$key" "${!key//\'/\'\\\'\'}"
    done
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
    if ! find_all; then
        printf '%s\n' "$problem" >&2
        exit 77
    fi
    print_all
fi
