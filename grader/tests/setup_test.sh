#!/usr/bin/env bash
# setup.sh on made-up machines: what it installs, what it refuses, what it says when apt fails.
# Nothing is downloaded and nothing needs root.
# shellcheck disable=SC2016  # what stands in quotes is for the made-up programs to expand
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh
# shellcheck source=grader/tests/made_up_machine.sh
. grader/tests/made_up_machine.sh

sources=$machine/etc/apt/sources.list
archives=$machine/etc/archives

# A Debian whose apt knows the packages of $machine/candidates (name and version a line), of
# which those with a third word only while that section is enabled. What apt is asked for is in
# $machine/calls; a file $machine/fail_SUBCOMMAND makes that subcommand print it and fail.
new_debian() {
    new_machine
    mkdir -p "$(dirname "$sources")" "$archives"
    printf 'ID=debian\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n' > "$machine/os-release"
    printf 'deb mirror bookworm main\n' > "$sources"
    cat > "$machine/candidates" << 'END'
make 4.3
gcc 12.2
libc6-dev 2.36
g++ 12.2
g++-11 11.3
libcriterion-dev 2.4.1-2
clang-format 14
shellcheck 0.9
valgrind 3.19
libcu++-dev 1.8
libcub-dev 1.17
nvidia-cuda-toolkit 11.8.89~11.8.0-5~deb12u1 non-free
END
    : > "$machine/calls"
    fake "$machine/bin/make" <<< 'exit 0'
    fake "$machine/bin/id" <<< 'echo 0'
    fake "$machine/bin/ldconfig" <<< 'exit 0'
    fake "$machine/bin/dpkg" <<< 'echo "dpkg $*" >> "$machine/calls"'
    fake "$machine/bin/dpkg-query" <<< 'exit 1'
    fake "$machine/bin/dpkg-deb" <<< 'cat "$2/DEBIAN/control" > "$3"'
    fake "$machine/bin/apt-config" <<< "echo \"answer='$archives/'\""
    fake "$machine/bin/apt-cache" < <(apt_cache)
    fake "$machine/bin/apt-get" < <(apt_get)
    fake "$tree/grader/tools/doctor.sh" <<< 'echo "the doctor was here"'
    brings gcc make_gcc gcc
    brings g++ make_gxx g++ 12
    brings g++-11 make_gxx g++-11 11
}

apt_cache() {
    cat << 'END'
candidate() {
    while read -r name version section; do
        [ "$name" = "$1" ] || continue
        [ -z "$section" ] || grep -q " $section" "$machine/etc/apt/"* || continue
        echo "  Candidate: $version"
    done < "$machine/candidates"
}
case $1 in
policy) candidate "$2" ;;
pkgnames) sed -n "s/^\($2[^ ]*\) .*/\1/p" "$machine/candidates" ;;
esac
END
}

apt_get() {
    cat << 'END'
words=() simulate='' prices=''
while [ $# -gt 0 ]; do
    case $1 in
    -o) shift ;;
    -s) simulate=yes ;;
    --print-uris) prices=yes ;;
    -*) ;;
    *) words+=("$1") ;;
    esac
    shift
done
set -- "${words[@]}"
subcommand=$1
shift
driver=$(grep -q 'dpkg -i' "$machine/calls" || cat "$machine/driver" 2> /dev/null)
if [ -n "$simulate" ]; then
    for package in "$@" $driver; do echo "Inst $package (1.0)"; done
    exit 0
elif [ -n "$prices" ]; then
    echo "Need to get ${PRICE:-1638 MB of archives.}"
    echo 'After this operation, 5,611 MB of additional disk space will be used.'
    exit 0
fi
echo "apt-get $subcommand $*" >> "$machine/calls"
if [ -e "$machine/fail_$subcommand" ]; then
    cat "$machine/fail_$subcommand"
    [ ! -e "$machine/fail_once" ] || rm "$machine/fail_$subcommand"
    exit 100
fi
if [ -e "$machine/section_is_broken" ] && grep -q non-free "$machine/etc/apt/"*; then
    exit 100
fi
case $subcommand in
update) echo 'Fetched 8,529 kB in 1s (8,000 kB/s)' ;;
indextargets) echo "Debian|main|$machine/etc/apt/sources.list:1" ;;
download) for package in "$@"; do echo "$package" > "$package.deb"; done ;;
install)
    for package in "$@"; do
        echo "Get:1 mirror bookworm/main amd64 $package amd64 1.0 [84.0 MB]"
        [ ! -e "$machine/when_installed_$package" ] || . "$machine/when_installed_$package"
        case $package in
        make | shellcheck | valgrind | clang-format)
            printf '#!/bin/bash\n' > "$machine/bin/$package"
            chmod +x "$machine/bin/$package" ;;
        esac
    done ;;
esac
END
}

# What installing a package brings, beside a program of its own name.
brings() {
    local package=$1
    shift
    {
        declare -f fake make_criterion make_gcc make_gxx make_toolkit
        printf '%s\n' "$*"
    } > "$machine/when_installed_$package"
}

set_up() {
    run setup.sh "machine=$machine" "SETUP_OS_RELEASE=$machine/os-release" SETUP_LOCK_SECONDS=0 "$@"
}

installed() {
    sed -n 's/^apt-get install //p' "$machine/calls" | tr '\n' ' '
}

# complete: the last run installed all there was to install, and the doctor came last.
complete() {
    is "$outcome" 0 && is "$err" '' && is "$(tail -n 1 <<< "$out")" 'the doctor was here'
}

# incomplete PATTERN WHAT: it said why, and what is still missing, and failed.
incomplete() {
    is "$outcome" 1 && holds "$(tr '\n' ' ' <<< "$err")" "$1" &&
        holds "$(tr '\n' ' ' <<< "$err")" "Setup is not complete. Still missing: $2" &&
        is "$(tail -n 1 <<< "$out")" 'the doctor was here'
}

bare_debian() {
    new_debian
    rm "$machine/bin"/{make,gcc,g++,pkg-config}
    brings libcriterion-dev make_criterion
    brings nvidia-cuda-toolkit 'make_toolkit "$machine/cuda" 11.8 11 75 80 90
        ln -sf "$machine/cuda/bin/nvcc" "$machine/bin/nvcc"
        make_gxx g++-11 11'
}

# --- nothing to do, or wrongly asked ---

new_debian
make_toolkit "$machine/cuda" 13.0 15 75 80 90
set_up "CUDA_HOME=$machine/cuda"
check "where all is there, nothing is installed" complete
check "and apt is not asked" is "$(cat "$machine/calls")" ''
check "and it says so" holds "$out" '^Everything is there'
set_up "CUDA_HOME=$machine/cuda" -- nonsense
check "an unknown argument is refused with 2" is "$outcome" 2
check "with the usage" holds "$err" 'usage: setup.sh \[test\]'
fake "$tree/grader/tools/doctor.sh" <<< 'exit 77'
set_up "CUDA_HOME=$machine/cuda"
check "what the doctor refuses is no success" is "$outcome" 1

# --- a bare machine ---

bare_debian
set_up
check "a bare Debian becomes complete" complete
check "the small packages come first, then the toolkit with its headers" is "$(installed)" \
    "make gcc libc6-dev libcriterion-dev g++ nvidia-cuda-toolkit libcu++-dev libcub-dev "
check "its section is enabled" is "$(cat "$sources")" 'deb mirror bookworm main contrib non-free'
check "the old file is kept" is "$(cat "$tree/build/setup/sources.list")" 'deb mirror bookworm main'
check "size and minutes are said, at the rate that apt measured" \
    holds "$out" 'download 1638 MB, roughly 4 min at 8\.0 MB/s; 5611 MB on the disk'
check "before the download" is "$(grep -n -m 1 -e 'download 1638 MB' -e downloading <<< "$out" |
    cut -d: -f1)" "$(grep -n -m 1 'download 1638 MB' <<< "$out" | cut -d: -f1)"
: > "$machine/calls"
set_up
check "the second run finds everything there" complete
check "and does not ask apt" is "$(cat "$machine/calls")" ''

new_debian
make_toolkit "$machine/cuda" 13.0 15 75 80 90
set_up "CUDA_HOME=$machine/cuda" -- test
check "setup.sh test adds what the tests need" is "$(installed)" 'clang-format shellcheck valgrind '
check "and nothing else is missing then" complete

new_debian
make_toolkit "$machine/cuda" 11.8 11 75 80 90
set_up "CUDA_HOME=$machine/cuda"
check "a toolkit that refuses g++ 12 gets the g++ that it accepts" is "$(installed)" 'g++-11 '
check "and is complete with it" complete
sed -i '/^g++-11 /d' "$machine/candidates"
rm "$machine/bin/g++-11"
set_up "CUDA_HOME=$machine/cuda"
check "a g++ that apt lacks is asked of the user" \
    incomplete 'accepts g\+\+ up to 11, and apt has none.*NVCC_CCBIN' 'a host compiler'

# --- which toolkit ---

bare_debian
sed -i 's/^nvidia-cuda-toolkit .*/nvidia-cuda-toolkit 11.2.2-3+deb11u3 non-free/' \
    "$machine/candidates"
set_up
check "a toolkit below 11.8 is refused, and the supported way named" \
    incomplete 'packages CUDA 11\.2, .* needs 11\.8.*supported way.*cuda-keyring' 'a CUDA toolkit'
check "the rest is installed" is "$(installed)" 'make gcc libc6-dev libcriterion-dev g++ '
check "and the section is disabled again" is "$(cat "$sources")" 'deb mirror bookworm main'

bare_debian
printf 'ID=ubuntu\nID_LIKE=debian\n' > "$machine/os-release"
sed -i 's/^nvidia-cuda-toolkit .*/nvidia-cuda-toolkit 12.0.140~12.0.1-4build4 multiverse/' \
    "$machine/candidates"
sed -i 's/Debian|main/Ubuntu|main/' "$machine/bin/apt-get"
set_up
check "Ubuntu's toolkit is in multiverse" \
    is "$(cat "$sources")" 'deb mirror bookworm main restricted universe multiverse'
check "and is taken" holds "$(installed)" 'nvidia-cuda-toolkit'

bare_debian
make_gpus 9.0 # its driver supports CUDA 12.4
printf '%s 1\n' cuda-nvcc-{11-7,11-8,12-4,13-0} cuda-{cudart-dev,cccl}-{11-8,12-4,13-0} \
    >> "$machine/candidates"
set_up
check "NVIDIA's repository: the newest toolkit that the driver supports, and no driver" \
    holds "$(installed)" 'g\+\+ cuda-nvcc-12-4 cuda-cudart-dev-12-4 cuda-cccl-12-4 $'
rm "$machine/bin/nvidia-smi"
: > "$machine/calls"
set_up
check "and without a driver the newest" holds "$(installed)" 'cuda-nvcc-13-0 '

new_debian
make_toolkit "$machine/cuda" 13.0 15 75 80 90
rm "$machine/cuda/lib64/libcudart.so"
set_up "CUDA_HOME=$machine/cuda"
check "an incomplete toolkit is not mended with another" \
    incomplete 'no libcudart.so beside it' 'the CUDA runtime library'
check "and nothing is installed" is "$(installed)" ''
make_toolkit "$machine/cuda" 13.0 15 75 80 90
rm -r "$machine/cuda/include/cuda"
set_up "CUDA_HOME=$machine/cuda"
check "nor is one without its C++ headers" incomplete 'package cuda-cccl-13-0' 'the CUDA C\+\+'

# --- a driver that apt does not know ---

bare_debian
echo libcuda1 > "$machine/driver"
fake "$machine/bin/ldconfig" <<< 'echo "libcuda.so.1 (libc6) => /lib/libcuda.so.1"'
set_up
check "a driver from elsewhere is protected by a placeholder" complete
check "that provides the driver library" holds \
    "$(cat "$tree/build/setup/cuda-workbook-driver.deb")" '^Provides: .*libcuda-11\.8-1'
sed -i 's/^driver=.*/driver=libcuda1/' "$machine/bin/apt-get"
rm -r "$machine/cuda" "$machine/bin/nvcc"
: > "$machine/calls"
set_up
check "and where that does not help, the toolkit is refused" \
    incomplete 'insists on a driver of its own \(libcuda1\)' 'a CUDA toolkit'
check "and not installed" is "$(installed)" ''
check "and the placeholder is removed" holds "$(cat "$machine/calls")" \
    'dpkg -r cuda-workbook-driver'
fake "$machine/bin/dpkg-query" <<< 'echo "installed libcuda1"'
set_up
check "a driver of apt's own needs none of this" complete

# --- apt fails ---

# install_fails NAME TEXT PATTERN: when apt-get prints that text, setup says what matches.
install_fails() {
    bare_debian
    printf '%s\n' "$2" > "$machine/fail_install"
    set_up
    check "$1" incomplete "$3" "$all"
}

all='GNU make, a C compiler \(gcc\), Criterion, .*nvcc'
install_fails "no network while installing" \
    'E: Failed to fetch x  Temporary failure resolving y' 'No network'
install_fails "a lock" \
    'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (apt)' \
    'Another program is using apt'
install_fails "a full disk" \
    'dpkg: error: No space left on device' 'The disk is full'
install_fails "packages that do not fit together" \
    "E: Unmet dependencies. Try 'apt --fix-broken install'" 'fix-broken'
install_fails "lists that are out of date" \
    'E: Failed to fetch z  404  Not Found' 'mirror is just being updated'
check "apt's own words are shown" holds "$err" '^  E: Failed to fetch z  404  Not Found'
check "after a failure nothing more is tried" is "$(installed)" \
    'make gcc libc6-dev libcriterion-dev g++ '

bare_debian
echo "E: dpkg was interrupted, you must manually run 'dpkg --configure -a'" \
    > "$machine/fail_install"
touch "$machine/fail_once"
set_up
check "an interrupted installation is finished first" complete
check "by dpkg" holds "$(cat "$machine/calls")" 'dpkg --force-confold --configure -a'

bare_debian
echo 'E: Failed to fetch x  Could not resolve y' > "$machine/fail_update"
set_up
check "lists that cannot be refreshed: what is known is installed, nothing is enabled" \
    incomplete 'apt finds no CUDA toolkit.*No network' 'a CUDA toolkit \(nvcc\)\.'
check "and the sources stay as they were" is "$(cat "$sources")" 'deb mirror bookworm main'
sed -i '/^libcriterion-dev /d' "$machine/candidates"
rm -f "$machine/bin/pkg-config"
set_up
check "no list at all: the reason is said" \
    incomplete 'apt finds no Criterion .*No network' 'Criterion, '
echo 'E: Could not get lock /var/lib/apt/lists/lock' > "$machine/fail_update"
set_up
check "lists that another program holds" incomplete 'Another program is using apt' 'Criterion, '

bare_debian
echo 'E: The package lists or status file could not be parsed or opened.' > "$machine/fail_update"
touch "$machine/fail_once" "$archives/damaged_Packages"
set_up
check "damaged lists are fetched anew" complete
check "after the old ones were removed" is "$(ls "$archives")" ''

bare_debian
fake "$machine/bin/df" <<< 'printf "x\ndisk 9 9 1000000 9 /\n"'
set_up
check "a disk that is too small is seen before the download" \
    incomplete 'takes 7249 MB under /usr, where 1000 MB are free' "$all"
check "and nothing is installed" is "$(installed)" ''
set_up "PRICE=10 MB of archives."
check "also when only what is unpacked does not fit" incomplete 'takes 5621 MB under /usr' "$all"

bare_debian
touch "$machine/section_is_broken"
set_up
check "a section whose lists cannot be read" incomplete 'finds no CUDA toolkit' 'a CUDA toolkit'
check "is disabled again" \
    is "$(cat "$sources")" 'deb mirror bookworm main'

# --- without root ---

# As user: no sudo. dpkg -x makes what Criterion's package holds.
as_user() {
    fake "$machine/bin/id" <<< 'echo 1000'
    fake "$machine/bin/dpkg" << 'END'
[ "$1" = -x ] || exit 0
[ ! -e "$machine/fail_unpack" ] || { cat "$machine/fail_unpack" && exit 2; }
mkdir -p "$3/usr/include/criterion" "$3/usr/lib" "$3/lib"
touch "$3/usr/include/criterion/criterion.h" "$3/usr/lib/libcriterion.so" "$3/lib/libkeyutils.so.1"
END
}

new_debian
make_toolkit "$machine/cuda" 13.0 15 75 80 90
rm "$machine/bin/pkg-config"
fake "$machine/bin/ldd" <<< 'exit 0'
as_user
set_up "CUDA_HOME=$machine/cuda"
check "without root Criterion goes under build/deps" complete
check "headers" is "$(ls "$tree/build/deps/usr/include")" criterion
check "and libraries, also those of /lib" is "$(cd "$tree/build/deps/usr/lib" && echo *)" \
    'libcriterion.so libkeyutils.so.1'
check "without a trace of the download" is "$(ls "$tree/build/deps")" usr
check "and nothing is installed" is "$(installed)" ''

rm -r "$tree/build"
echo 'E: cannot write: No space left on device' > "$machine/fail_unpack"
set_up "CUDA_HOME=$machine/cuda"
check "a full disk while unpacking" incomplete 'could not be unpacked.*disk is full' 'Criterion\.'
check "leaves nothing half done" is "$(ls "$tree/build/deps")" ''
mkdir -p "$tree/build/deps/usr/an_older_one"
set_up "CUDA_HOME=$machine/cuda"
check "nor does it take away what was there" is "$(ls "$tree/build/deps/usr")" an_older_one
rm "$machine/fail_unpack"
echo 'E: Failed to fetch x  Could not resolve y' > "$machine/fail_download"
set_up "CUDA_HOME=$machine/cuda"
check "no network while downloading" incomplete 'could not be downloaded.*No network' 'Criterion\.'
rm "$machine/fail_download"
set_up "CUDA_HOME=$machine/cuda"
check "and the next run makes it good" complete

bare_debian
as_user
set_up
check "what needs root is asked of the administrator, as a command" incomplete \
    'apt-get install make gcc libc6-dev g\+\+ nvidia-cuda-toolkit.*contrib and non-free' 'GNU make'
check "with the way of clusters" holds "$err" 'module load cuda'
fake "$machine/bin/sudo" <<< '[ "$1" != -n ] && echo "sudo $1" >> "$machine/calls"'
set_up
check "a sudo that wants a password from nobody is no sudo" \
    incomplete 'sudo is not to be had' 'GNU make'
check "and is not asked for it" lacks "$(cat "$machine/calls")" '^sudo'
fake "$machine/bin/sudo" << 'END'
[ "$1" != -n ] || exit 0
echo "sudo $1" >> "$machine/calls"
exec "$@"
END
set_up
check "a sudo that works is used" complete
check "for apt" holds "$(cat "$machine/calls")" '^sudo env$'

# --- elsewhere ---

bare_debian
printf 'ID=fedora\nPRETTY_NAME="Fedora Linux 43"\n' > "$machine/os-release"
set_up
check "another system is told what to install" \
    incomplete 'Fedora Linux 43: only Debian.*Criterion 2\.4.*CUDA toolkit, 11\.8' 'GNU make'
check "and apt is left alone there" is "$(cat "$machine/calls")" ''
printf 'ID=arch\nPRETTY_NAME=Arch\n' > "$machine/os-release"
set_up
check "Arch by its own command" holds "$err" 'pacman -S base-devel cuda criterion'

# --- stopped half-way ---

bare_debian
brings make 'touch "$machine/installing"; sleep 2'
(
    until [ -e "$machine/installing" ]; do sleep 0.05; done
    kill -TERM "$(cat "$machine/pid")"
) &
fake "$tree/grader/tools/started.sh" <<< 'echo $$ > "$machine/pid"; exec "${0%/*}/setup.sh"'
run started.sh "machine=$machine" "SETUP_OS_RELEASE=$machine/os-release"
wait
check "an interrupted setup says so" is "$outcome" 143
check "and how to go on" holds "$err" 'stopped before its end .*make setup'

# --- sections, in both forms of source file ---

# adds FILE NUMBER TEXT: contrib and non-free are added to TEXT's entry of that number.
adds() {
    printf '%b' "$3" > "$machine/$1"
    bash -c 'say() { :; }; as_root=(); work=; . "$0/grader/tools/setup_apt.sh"
        with_sections "$1" "$2" contrib non-free' "$tree" "$machine/$1" "$2"
}

new_debian
check "a line with options and a comment" is \
    "$(adds a.list 2 '# main\ndeb [arch=amd64] u s main # ours\ndeb other s main\n')" \
    "$(printf '# main\ndeb [arch=amd64] u s main contrib non-free # ours\ndeb other s main')"
check "what is enabled is not enabled twice" is \
    "$(adds a.list 1 'deb u s main contrib non-free-firmware\n')" \
    'deb u s main contrib non-free-firmware non-free'
check "the second stanza, after comments and blank lines" is \
    "$(adds a.sources 2 '# x\n\n\nURIs: u\nComponents: main\n\n# y\nURIs: v\nComponents: main\n')" \
    "$(printf '# x\n\n\nURIs: u\nComponents: main\n\n# y\nURIs: v\nComponents: main %s' \
        'contrib non-free')"
check "a field in lower case, continued on the next line" is \
    "$(adds a.sources 1 'types: deb\ncomponents:\n main\nSuites: s\n')" \
    "$(printf 'types: deb\ncomponents: contrib non-free\n main\nSuites: s')"

finish
