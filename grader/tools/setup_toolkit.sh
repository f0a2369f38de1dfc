#!/usr/bin/env bash
# Which CUDA toolkit setup.sh installs, with which host compiler, and how the driver that is here
# is left alone. Sourced by setup.sh after toolchain.sh and setup_apt.sh.
# shellcheck disable=SC2154  # as_root, work and oldest_nvcc come from the files named above
set -euo pipefail

placeholder=cuda-workbook-driver
header_packages='libcu++-dev libcub-dev libthrust-dev'

# The release that the driver here supports, such as 12.4; nothing when there is no driver.
driver_supports() {
    local smi
    smi=$(command -v nvidia-smi) || smi=/usr/lib/wsl/lib/nvidia-smi
    [ -x "$smi" ] || return 0
    timeout 20 "$smi" 2>/dev/null |
        sed -n 's/.*CUDA Version: *\([0-9]*\.[0-9]*\).*/\1/p' | head -n 1
}

# Where NVIDIA's own repository is set up: its newest toolkit that the driver supports, one package
# a line, without the driver and without the libraries that the workbook does not use.
toolkit_of_nvidia() {
    local release limit chosen='' part
    limit=$(driver_supports) || limit=''
    while IFS= read -r release; do
        at_least "$release" "$oldest_nvcc" || continue
        [ -z "$limit" ] || at_least "$limit" "$release" || continue
        chosen=$release
        break
    done < <(apt-cache pkgnames cuda-nvcc- |
        sed -n 's/^cuda-nvcc-\([0-9][0-9]*\)-\([0-9][0-9]*\)$/\1.\2/p' | sort -V -r)
    [ -n "$chosen" ] || return 0
    for part in cuda-nvcc cuda-cudart-dev cuda-cccl cuda-sanitizer cuda-cuobjdump; do
        known_packages "$part-${chosen/./-}"
    done
}

# The release of the distribution's package: version 11.8.89~11.8.0-5~deb12u1 is 11.8.
distribution_release() {
    local version
    version=$(candidate_of nvidia-cuda-toolkit)
    version=${version#*:}
    [[ ! $version =~ ^([0-9]+\.[0-9]+) ]] || printf '%s\n' "${BASH_REMATCH[1]}"
}

name_supported_way() {
    complain "The supported way: set up NVIDIA's own package repository for this system (NVIDIA's" \
        "page \"CUDA Toolkit Downloads\", installer type \"deb (network)\", the steps up to" \
        "cuda-keyring), then run \`make setup\` again: it takes a toolkit from there, and no" \
        "driver. Or set CUDA_HOME to a toolkit of $oldest_nvcc or newer that is here already."
}

# Enables the section that holds the distribution's toolkit.
enable_toolkit_section() {
    case $(family) in
    debian) enable_sections Debian contrib non-free ;;
    ubuntu) enable_sections Ubuntu restricted universe multiverse ;;
    *) false ;;
    esac
}

# Sets toolkit_packages, or fails after saying why there is none.
choose_toolkit() {
    local release enabled=''
    mapfile -t toolkit_packages < <(toolkit_of_nvidia)
    ((${#toolkit_packages[@]} == 0)) || return 0

    release=$(distribution_release)
    if [[ -z $release && -n $lists_are_fresh ]]; then
        ! enable_toolkit_section || enabled=yes
        release=$(distribution_release)
    fi
    if [ -n "$enabled" ] && ! at_least "${release:-0.0}" "$oldest_nvcc"; then
        say 'That section has no toolkit for the workbook; it is disabled again.'
        restore_sources
    fi
    if [ -z "$release" ]; then
        complain "apt finds no CUDA toolkit (package nvidia-cuda-toolkit)."
        if [ -n "$lists_are_fresh" ]; then
            name_supported_way
        else
            explain update.log
        fi
        return 1
    fi
    if ! at_least "$release" "$oldest_nvcc"; then
        complain "This system packages CUDA $release, and the workbook needs $oldest_nvcc or" \
            "newer: that package is not installed."
        name_supported_way
        return 1
    fi
    # shellcheck disable=SC2086  # a list
    mapfile -t toolkit_packages < <(known_packages nvidia-cuda-toolkit $header_packages)
}

# --- the driver that is here ---

# Does a driver library lie here that none of apt's packages owns? It came with NVIDIA's installer,
# from Windows (WSL) or from outside the container, and a second one beside it would break it.
has_foreign_driver() {
    if ! PATH=$PATH:/usr/sbin:/sbin ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1' &&
        [ ! -e /usr/lib/wsl/lib/libcuda.so.1 ]; then
        return 1
    fi
    # shellcheck disable=SC2016  # dpkg fills these in
    ! dpkg-query -W -f '${db:Status-Status} ${Package}\n' libcuda1 'libnvidia-compute-*' \
        'libnvidia-tesla*-cuda1' "$placeholder" 2>/dev/null | grep -q '^installed '
}

# The parts of a driver among what apt would install, one a line.
driver_parts_in_plan() {
    LC_ALL=C apt-get -s -o Debug::NoLocking=1 install --no-install-recommends "$@" 2>/dev/null |
        awk '$1 == "Inst" { print $2 }' |
        grep -e '^libcuda1' -e '^libnvidia-[cgpt]' -e '^libnvidia-ml1' -e '^nvidia-alternative' \
            -e '^nvidia-driver' -e '^nvidia-kernel' -e '^nvidia-utils' -e '^nvidia-compute' || true
}

# Builds and installs an empty package that tells apt that a driver is there. The toolkit asks for
# it under one of the provided names, with a lowest version that 999 is above.
install_placeholder() {
    local folder=$work/$placeholder
    rm -rf -- "$folder"
    mkdir -p "$folder/DEBIAN"
    {
        printf 'Package: %s\nVersion: 1\n' "$placeholder"
        printf 'Architecture: %s\n' "$(dpkg --print-architecture)"
        printf 'Maintainer: the CUDA workbook <root@localhost>\n'
        printf 'Provides: libcuda1 (= 999), libcuda.so.1 (= 999), libcuda-%s-1,' "$1"
        printf ' libnvidia-ml1 (= 999), libnvidia-ml.so.1 (= 999)\n'
        printf 'Description: an NVIDIA driver is here that apt did not install\n'
        printf ' Holds no file. The CUDA toolkit depends on a driver library; this keeps apt from\n'
        printf ' installing a second one. Remove it when apt is to install the driver.\n'
    } >"$folder/DEBIAN/control"
    dpkg-deb --build "$folder" "$folder.deb" >"$work/placeholder.log" 2>&1 &&
        "${as_root[@]}" dpkg -i "$folder.deb" >>"$work/placeholder.log" 2>&1
}

# Keeps apt from installing a second driver with toolkit_packages; fails after saying so if it
# cannot.
protect_driver() {
    local parts
    has_foreign_driver || return 0
    [ -n "$(driver_parts_in_plan "${toolkit_packages[@]}")" ] || return 0
    say "The NVIDIA driver here did not come from apt, and apt's toolkit would bring"
    say "another. The empty package $placeholder tells apt that one is there."
    if install_placeholder "$(distribution_release)"; then
        parts=$(driver_parts_in_plan "${toolkit_packages[@]}")
        [ -n "$parts" ] || return 0
        "${as_root[@]}" dpkg -r "$placeholder" >>"$work/placeholder.log" 2>&1 || true
    else
        parts=$placeholder
    fi
    complain "apt's toolkit insists on a driver of its own ($(head -n 1 <<<"$parts")), which" \
        "could break the one that is here: the toolkit is not installed."
    name_supported_way
    return 1
}

# --- the host compiler ---

# Installs the newest g++ that nvcc accepts and apt knows.
install_host_compiler() {
    local version
    for ((version = ${GXX_LIMIT:-0}; version >= 7; version--)); do
        if [ -n "$(candidate_of "g++-$version")" ]; then
            install_packages "g++-$version"
            return
        fi
    done
    complain "nvcc $NVCC_VERSION accepts g++ up to ${GXX_LIMIT:-an unknown version}, and apt has" \
        "none of these: install one and set NVCC_CCBIN to it, or use a newer toolkit."
    return 1
}
