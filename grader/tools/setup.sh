#!/usr/bin/env bash
# Installs what the workbook needs and this machine lacks: make, gcc, g++, Criterion, and a CUDA
# toolkit with a host compiler that it accepts. `setup.sh test` adds what `make test` needs.
#
# On Debian and Ubuntu by apt, as root or through sudo; without either, Criterion goes under
# build/deps. Elsewhere it says what to install. Where nothing is missing it does nothing, and after
# any failure it can be run again. Ends with the doctor. Exit 0 when all is there, 1 when something
# still is not (it says what), 2 for a wrong argument.
# shellcheck disable=SC2034,SC2154  # shared with the files that are sourced below
set -euo pipefail

tools=$(dirname -- "${BASH_SOURCE[0]}")
as_root=()
work=''
missing=()
test_tools=()
finished=''

say() {
    printf '%s\n' "$*"
}

complain() {
    printf 'setup: %s\n' "$*" | fold -s -w 80 | sed 's/ *$//' >&2
}

for part in toolchain setup_apt setup_toolkit setup_user; do
    # shellcheck source=/dev/null
    source "$tools/$part.sh"
done

# --- what is missing ---

# need -> how a message calls it
declare -A title=(
    [make]='GNU make' [cc]='a C compiler (gcc)' [cxx]='a C++ compiler (g++)'
    [criterion]='Criterion' [nvcc]='a CUDA toolkit (nvcc)' [runtime]='the CUDA runtime library'
    [headers]='the CUDA C++ library headers' [ccbin]='a host compiler that this nvcc accepts'
    [clang-format]='clang-format' [shellcheck]='shellcheck' [valgrind]='valgrind'
)
# need -> packages of Debian and Ubuntu; those for nvcc and ccbin depend on the machine
declare -A packages_for=(
    [make]='make' [cc]='gcc libc6-dev' [cxx]='g++' [criterion]='libcriterion-dev'
    [clang-format]='clang-format' [shellcheck]='shellcheck' [valgrind]='valgrind'
)

compiles_c() {
    # shellcheck disable=SC2086  # HOST_CC may be two words
    find_c_compiler && printf '#include <stdio.h>\n' | $HOST_CC -E -x c - >/dev/null 2>&1
}

# cooperative_groups.h of CUDA 11.8 needs them; Debian packages them apart from the toolkit.
has_headers() {
    [[ -e $CUDA_INCLUDE/cuda/std/type_traits || -e $CUDA_INCLUDE/cccl/cuda/std/type_traits ]]
}

# Sets missing to the needs that this machine does not meet.
list_missing() {
    local tool
    missing=()
    command -v make >/dev/null || missing+=(make)
    compiles_c || missing+=(cc)
    find_criterion || missing+=(criterion)
    if ! find_nvcc; then
        command -v g++ >/dev/null || missing+=(cxx)
        missing+=(nvcc)
    elif ! find_cuda_files; then
        missing+=(runtime)
    else
        has_headers || missing+=(headers)
        find_host_compiler || missing+=(ccbin)
    fi
    for tool in "${test_tools[@]}"; do
        command -v "$tool" >/dev/null || missing+=("$tool")
    done
}

is_missing() {
    is_among "$1" "${missing[@]}"
}

missing_in_words() {
    local need words=''
    for need in "${missing[@]}"; do
        words+="${words:+, }${title[$need]}"
    done
    printf '%s\n' "$words"
}

# The packages of the missing needs, one a line; of those whose names are the same everywhere.
plain_packages() {
    local need package
    for need in "${missing[@]}"; do
        for package in ${packages_for[$need]:-}; do
            printf '%s\n' "$package"
        done
    done
}

# --- the three ways ---

# One field of os-release, such as ID.
os_field() {
    sed -n "s/^$1=[\"']\{0,1\}\([^\"']*\)[\"']\{0,1\}$/\1/p" \
        "${SETUP_OS_RELEASE:-/etc/os-release}" 2>/dev/null
}

# debian or ubuntu; nothing where apt is not the way. Ubuntu's derivatives name both.
family() {
    if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
        return 0
    fi
    case " $(os_field ID) $(os_field ID_LIKE) " in
    *' ubuntu '*) printf 'ubuntu\n' ;;
    *' debian '*) printf 'debian\n' ;;
    esac
}

# A toolkit that lacks its runtime or headers is not from apt: another beside it would not mend it.
report_incomplete_toolkit() {
    if is_missing runtime; then
        complain "$problem"
    elif [ "$CUDA_INCLUDE" != /usr/include ]; then
        complain "$NVCC has no cuda/std/type_traits beside it, which cooperative groups need:" \
            "install that toolkit's package cuda-cccl-${NVCC_VERSION/./-}."
    fi
}

install_with_apt() {
    local status=0
    local -a packages toolkit_packages=()
    refresh_lists || true
    if is_missing criterion && [ -z "$(candidate_of libcriterion-dev)" ]; then
        [ "$(family)" != ubuntu ] || enable_sections Ubuntu universe || true
        if [ -z "$(candidate_of libcriterion-dev)" ]; then
            complain "apt finds no Criterion (package libcriterion-dev)."
            explain update.log
            return 1
        fi
    fi
    mapfile -t packages < <(plain_packages)
    if is_missing headers && [ "$CUDA_INCLUDE" = /usr/include ]; then
        # shellcheck disable=SC2086  # a list
        mapfile -t -O "${#packages[@]}" packages < <(known_packages $header_packages)
    elif is_missing headers || is_missing runtime; then
        report_incomplete_toolkit
    fi
    install_packages "${packages[@]}" || return 1
    if is_missing nvcc; then
        if choose_toolkit && protect_driver && install_packages "${toolkit_packages[@]}"; then
            list_missing
        else
            status=1
        fi
    fi
    if is_missing ccbin; then
        install_host_compiler || status=1
    fi
    return "$status"
}

install_without_root() {
    if is_missing criterion; then
        unpack_criterion || true
        list_missing
    fi
    if is_missing headers || is_missing runtime; then
        report_incomplete_toolkit
    fi
    ask_administrator
}

# Exact where the distribution packages it all; else the things themselves.
advise() {
    local need
    complain "$(os_field PRETTY_NAME): only Debian and Ubuntu are set up by this script. Please" \
        "install what is missing, then run \`make setup\` again:"
    for need in "${missing[@]}"; do
        case $need in
        criterion) say "  Criterion 2.4 with headers (from source: set CRITERION to its prefix)" ;;
        nvcc) say "  NVIDIA's CUDA toolkit, $oldest_nvcc to 13 (set CUDA_HOME to its folder)" ;;
        ccbin) say "  g++ ${GXX_LIMIT:-11} or older, for nvcc (set NVCC_CCBIN to it)" ;;
        *) say "  ${title[$need]}" ;;
        esac
    done >&2
    case " $(os_field ID) $(os_field ID_LIKE) " in
    *' arch '*) complain "Arch packages them all: pacman -S base-devel cuda criterion" ;;
    esac
}

# --- all of it ---

# Sets as_root to nothing for root, to sudo where that works; fails where neither does.
become_root() {
    [ "$(id -u)" != 0 ] || return 0
    command -v sudo >/dev/null || return 1
    if ! sudo -n true 2>/dev/null; then
        [ -t 0 ] || return 1
        say 'Packages are installed through sudo, which may ask for your password.'
        sudo -v || return 1
    fi
    as_root=(sudo)
}

# A folder for logs and old files: in the tree, or elsewhere when that cannot be written.
open_work_folder() {
    work=$root/build/setup
    if mkdir -p "$work" 2>/dev/null && printf '\n' 2>/dev/null >"$work/writable"; then
        return
    fi
    if ! work=$(mktemp -d 2>/dev/null); then
        complain "Neither $root/build nor a temporary folder can be written: is the disk full?"
        exit 1
    fi
}

install_missing() {
    say "Missing: $(missing_in_words)." | fold -s -w 80 | sed 's/ *$//'
    open_work_folder
    if [ -z "$(family)" ]; then
        advise
    elif become_root; then
        install_with_apt || true
    else
        install_without_root
    fi
    list_missing
}

# shellcheck disable=SC2317  # called by the trap
on_exit() {
    local status=$?
    if [ -z "$finished" ]; then
        complain "Setup stopped before its end (status $status): run \`make setup\` again."
    fi
}

main() {
    local status=0
    case ${1:-} in
    '') ;;
    test) test_tools=(clang-format shellcheck valgrind) ;;
    *)
        complain "usage: setup.sh [test]"
        exit 2
        ;;
    esac
    trap on_exit EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM

    cd -- "$root"
    list_missing
    if ((${#missing[@]} == 0)); then
        say 'Everything is there; nothing to install.'
    else
        install_missing
    fi
    finished=yes

    if ((${#missing[@]} > 0)); then
        status=1
        complain "Setup is not complete. Still missing: $(missing_in_words)."
    fi
    say ''
    "$root/grader/tools/doctor.sh" || status=1
    exit "$status"
}

main "$@"
