#!/usr/bin/env bash
# What setup.sh, which sources this file, can do for a user who is not root: Criterion goes under
# build/deps, and the rest becomes a request to the administrator.
# shellcheck disable=SC2154  # root, work and missing come from setup.sh
set -euo pipefail

deps=$root/build/deps

# apt-get with package lists of its own, which any user may fetch.
own_apt() {
    LC_ALL=C apt-get -q -o Dir::State::Lists="$deps/new/lists" -o Dir::Cache="$deps/new/cache" \
        -o Debug::NoLocking=1 "$@"
}

# Criterion's headers, and the libraries it needs to run as far as they are not installed. Headers
# that others would need to compile against those libraries are left out.
criterion_packages() {
    own_apt -s install --no-install-recommends libcriterion-dev 2>>"$work/update.log" |
        awk '$1 == "Inst" && $3 !~ /^\[/ { print $2 }' |
        grep -E -e '^lib(criterion|boxfort)' -e '^lib.*[0-9](t64)?$' |
        grep -v -E '^lib(c6|gcc|stdc|nsl|tirpc|pkgconf)' || true
}

# Downloads and unpacks into build/deps/new.
fetch_criterion() {
    local package
    local -a packages
    if ! mkdir -p "$deps"/new/{lists/partial,cache/archives/partial,debs,tree} 2>/dev/null; then
        complain "$deps cannot be written: make it writable, or free some space there."
        return 1
    fi
    own_apt update >"$work/update.log" 2>&1 || true
    mapfile -t packages < <(criterion_packages)
    if ! is_among libcriterion-dev "${packages[@]}"; then
        complain "apt finds no Criterion (package libcriterion-dev)."
        explain update.log
        return 1
    fi
    say "  downloading ${#packages[@]} packages"
    if ! (cd -- "$deps/new/debs" && own_apt download "${packages[@]}") \
        >"$work/install.log" 2>&1; then
        complain "The packages could not be downloaded."
        explain install.log
        return 1
    fi
    for package in "$deps"/new/debs/*.deb; do
        if ! dpkg -x "$package" "$deps/new/tree" >>"$work/install.log" 2>&1; then
            complain "$(basename -- "$package") could not be unpacked."
            explain install.log
            return 1
        fi
    done
    # Some packages still use /lib, which is a link to /usr/lib on an installed system.
    [ ! -d "$deps/new/tree/lib" ] || cp -a -- "$deps/new/tree/lib/." "$deps/new/tree/usr/lib/"
}

# Puts Criterion under build/deps/usr: all of it, or nothing.
unpack_criterion() {
    local status=0
    say 'Criterion goes under build/deps, since you are not root. Reading the package lists ...'
    rm -rf -- "$deps/new"
    if fetch_criterion; then
        rm -rf -- "${deps:?}/usr"
        mv -- "$deps/new/tree/usr" "$deps/usr" || status=1
    else
        status=1
    fi
    rm -rf -- "$deps/new"
    return "$status"
}

# What only the administrator can install, as the command to run.
ask_administrator() {
    local sections='contrib and non-free'
    local -a wanted
    mapfile -t wanted < <(plain_packages)
    ! is_missing nvcc || wanted+=(nvidia-cuda-toolkit)
    ! is_missing ccbin || wanted+=("g++-${GXX_LIMIT:-11}")
    ((${#wanted[@]} > 0)) || return 0
    complain "You are not root, and sudo is not to be had. Ask the administrator for:" \
        "apt-get install ${wanted[*]}"
    is_missing nvcc || return 0
    [ "$(family)" != ubuntu ] || sections='multiverse'
    complain "nvidia-cuda-toolkit is in $sections; it must be $oldest_nvcc or newer. Where the" \
        "toolkit is installed already: \`module load cuda\`, or set CUDA_HOME, then \`make setup\`."
}
