#!/usr/bin/env bash
# apt for setup.sh, which sources this file: package lists, sections, cost, installation, and why
# apt failed in a sentence. Uses as_root (the words before a command that needs root), work (the
# folder for logs) and say and complain from there.
# shellcheck disable=SC2034,SC2154  # shared with setup.sh and setup_toolkit.sh
set -euo pipefail

lock_wait_seconds=${SETUP_LOCK_SECONDS:-120}
assumed_rate_kb_s=10000
lists_are_fresh=''
declare -A sources_kept=() # a changed source file -> its old text

# Lines that tell how far apt is; the whole of its output is in the log.
show_progress() {
    local line unpacked=0 set_up=0
    local -a words
    while IFS= read -r line; do
        case $line in
        Get:*' MB]')
            read -r -a words <<<"$line"
            say "  downloading ${words[4]}, ${words[-2]#[} MB"
            ;;
        Unpacking*) ((++unpacked % 20)) || say "  $unpacked packages unpacked" ;;
        'Setting up'*) ((++set_up % 20)) || say "  $set_up packages set up" ;;
        esac
    done
}

# run_apt LOG ARGUMENT...: apt-get without questions, patient with another one's lock.
run_apt() {
    local log=$work/$1 status
    shift
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C \
        apt-get -q -y -o "DPkg::Lock::Timeout=$lock_wait_seconds" -o Dpkg::Use-Pty=0 \
        -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@" \
        </dev/null 2>&1 | tee "$log" | show_progress && return 0
    status=${PIPESTATUS[0]}
    return "$status"
}

# Why apt failed, from its log: the first row with a pattern (alternatives between semicolons)
# that occurs there, then apt's own words.
explain() {
    local log=$work/$1 pattern reason
    while IFS='|' read -r pattern reason; do
        if grep -q -i -E -- "${pattern//;/|}" "$log"; then
            complain "$reason, then run \`make setup\` again."
            break
        fi
    done <<'TABLE'
get lock;is held by process|Another program is using apt or dpkg: wait until it has ended
no space left;enough free space|The disk is full: free some space
read-only file system|The system is read-only: make it writable
malformed;list of sources;conflicting values|One of apt's own files is wrong: correct it
resolv;connect;unreachable;timed out|No network, or the package mirror is silent: connect
404  not found;hash sum;unexpected size|The mirror is just being updated: wait a few minutes
unmet dep;held broken;fix-broken|Run `apt-get --fix-broken install` first
dpkg was interrupted|Run `dpkg --configure -a` first
not signed;no_pubkey;gpg error|A package source lacks its key: add the key, or remove the source
permission denied;are you root|apt is not for this user: become root
TABLE
    grep -E '^(E|W|Err):' "$log" | sort -u | head -n 3 | sed 's/^/  /' >&2 || true
    say "  the whole output: $log" >&2
}

# A folder or file of apt's own configuration.
apt_folder() {
    local answer=''
    eval "$(apt-config shell answer "$1/f")"
    printf '%s\n' "${answer%/}"
}

# Refreshes the package lists. Waits for another program's lock and drops damaged lists once. A
# mirror that fails need not be fatal: the caller sees whether its packages are known.
refresh_lists() {
    local deadline=$((SECONDS + lock_wait_seconds)) cleaned=''
    say 'Reading the package lists ...'
    lists_are_fresh=''
    while ! run_apt update.log -o APT::Update::Error-Mode=any update; do
        if grep -q 'Could not get lock' "$work/update.log" && ((SECONDS < deadline)); then
            say '  another program is using apt; waiting'
            sleep 3
        elif [ -z "$cleaned" ] && grep -q -e 'could not be parsed or opened' -e MergeList \
            -e 'file is corrupted' -e 'parse package file' "$work/update.log"; then
            say '  the stored lists are damaged; fetching them anew'
            cleaned=yes
            "${as_root[@]}" find "$(apt_folder Dir::State::lists)" -type f -delete
        else
            say '  not all of them could be read; going on with what is here'
            return 1
        fi
    done
    lists_are_fresh=yes
}

# The version that apt would install; nothing when it knows none.
candidate_of() {
    LC_ALL=C apt-cache policy "$1" 2>/dev/null |
        sed -n 's/^ *Candidate: \([0-9].*\)$/\1/p' | head -n 1
}

# Those of the packages that apt knows.
known_packages() {
    local package
    for package in "$@"; do
        [ -z "$(candidate_of "$package")" ] || printf '%s\n' "$package"
    done
}

# --- sections of the archive ---

# A source file with sections added to its line (`deb` form) or stanza (deb822 form) of that
# number, on stdout. with_sections FILE NUMBER SECTION...
with_sections() {
    local file=$1 number=$2 form=lines
    shift 2
    [[ $file != *.sources ]] || form=stanzas
    awk -v number="$number" -v added="$*" -v form="$form" '
        # The added sections that a text does not hold yet, each after a blank.
        function lacking(text,    i, n, words, out) {
            n = split(added, words, " ")
            for (i = 1; i <= n; i++)
                if (index(" " text " ", " " words[i] " ") == 0) out = out " " words[i]
            return out
        }
        form == "lines" && NR == number {
            comment = ""
            if (match($0, /[ \t]*#.*$/)) {
                comment = substr($0, RSTART)
                $0 = substr($0, 1, RSTART - 1)
            }
            print $0 lacking($0) comment
            next
        }
        form == "stanzas" && /^[ \t]*$/ { inside = 0 }
        form == "stanzas" && /^[^# \t]/ && !inside { inside = 1; stanza++ }
        form == "stanzas" && stanza == number && tolower($0) ~ /^components:/ {
            print $0 lacking(substr($0, 12))
            next
        }
        { print }
    ' "$file"
}

# The entries FILE:NUMBER of the distribution's own main section, whatever mirror it comes from.
main_entries() {
    # shellcheck disable=SC2016  # apt fills these in
    apt-get indextargets --format '$(ORIGIN)|$(COMPONENT)|$(SOURCESENTRY)' 'Created-By: Packages' |
        sed -n "s/^$1|main|//p" | sort -u
}

# Enables sections wherever main is enabled; the old files are kept in the work folder.
# enable_sections ORIGIN SECTION...
enable_sections() {
    local origin=$1 entry file kept changed=''
    shift
    sources_kept=()
    while IFS= read -r entry; do
        file=${entry%:*}
        [ -f "$file" ] || continue
        with_sections "$file" "${entry##*:}" "$@" >"$work/new_source"
        ! cmp -s "$file" "$work/new_source" || continue
        kept=$work/$(basename -- "$file")
        if [ -z "${sources_kept[$file]:-}" ]; then
            cp -- "$file" "$kept" || return 1
            sources_kept[$file]=$kept
        fi
        "${as_root[@]}" cp -- "$work/new_source" "$file" || return 1
        changed=yes
        say "Enabled $* in $file, entry ${entry##*:}"
    done < <(main_entries "$origin")
    [ -n "$changed" ] || return 1
    say "  (old files are kept in $work)"
    refresh_lists && return 0
    say "  disabling that again"
    restore_sources
    return 1
}

# Puts back what the last enable_sections changed.
restore_sources() {
    local file
    for file in "${!sources_kept[@]}"; do
        "${as_root[@]}" cp -- "${sources_kept[$file]}" "$file"
    done
}

# --- what it will cost ---

# 1638 MB, 5.6 GB or 900 kB in whole kB
as_kilobytes() {
    awk -v number="${1//,/}" -v unit="$2" 'BEGIN {
        factor["B"] = 1e-3; factor["kB"] = 1; factor["MB"] = 1e3; factor["GB"] = 1e6
        printf "%d\n", number * factor[unit] + 0.5 }'
}

# The first amount, in kB, that follows one of the words in apt's plan.
amount_after() {
    local pattern=$1 number='' unit=''
    read -r number unit < <(sed -n -E "s/.*($pattern) ([0-9.,]+) ([kMG]?B).*/\2 \3/p" \
        "$work/plan.log" | head -n 1) || true
    as_kilobytes "${number:-0}" "${unit:-B}"
}

# A download of so many kB in words, with its minutes: at the rate of the last update if that moved
# enough to tell.
download_in_words() {
    local download_kb=$1 rate=$assumed_rate_kb_s line
    if ((download_kb == 0)); then
        printf 'nothing\n'
        return
    fi
    line=$(grep '^Fetched ' "$work/update.log" 2>/dev/null) || line=''
    if [[ $line =~ ^Fetched\ ([0-9.,]+)\ (.?B)\ in\ .*\(([0-9.,]+)\ (.?B)/s\) ]] &&
        (($(as_kilobytes "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}") >= 2000)); then
        rate=$(as_kilobytes "${BASH_REMATCH[3]}" "${BASH_REMATCH[4]}")
        ((rate > 0)) || rate=1
    fi
    printf '%d MB, roughly %d min at %d.%d MB/s\n' $((download_kb / 1000)) \
        $((download_kb / rate / 60 + 1)) $((rate / 1000)) $((rate % 1000 / 100))
}

# One column of df for a folder, in kB: 1 is the device, 4 is what is free.
disk() {
    df -P --block-size=1kB "$2" | awk -v column="$1" 'NR == 2 { print $column }'
}

# Says what the installation will download and occupy, and refuses where it cannot fit.
announce() {
    local download_kb needed_kb archives
    # Unlike --assume-no, --print-uris never installs, not even what needs no question.
    LC_ALL=C apt-get -y -o Debug::NoLocking=1 --print-uris install --no-install-recommends "$@" \
        >"$work/plan.log" 2>&1 </dev/null || true
    if grep -q '^E:' "$work/plan.log"; then
        complain "apt cannot install $*."
        explain plan.log
        return 1
    fi
    download_kb=$(amount_after 'Need to get|Download size:')
    needed_kb=$(amount_after 'After this operation,|Space needed:')
    say "To install: $*" | fold -s -w 80
    say "  download $(download_in_words "$download_kb"); $((needed_kb / 1000)) MB on the disk"
    ((needed_kb < 1000000)) || say '  and some minutes to unpack'

    archives=$(apt_folder Dir::Cache::archives)
    if [ "$(disk 1 "$archives")" = "$(disk 1 /usr)" ]; then
        needed_kb=$((needed_kb + download_kb))
    fi
    if (($(disk 4 /usr) < needed_kb || $(disk 4 "$archives") < download_kb)); then
        complain "The disk is too small: this takes $((needed_kb / 1000)) MB under /usr, where" \
            "$(($(disk 4 /usr) / 1000)) MB are free, and $((download_kb / 1000)) MB under" \
            "$archives, where $(($(disk 4 "$archives") / 1000)) MB are free."
        return 1
    fi
}

# Announces and installs; fails after saying why.
install_packages() {
    (($# > 0)) || return 0
    announce "$@" || return 1
    run_apt install.log install --no-install-recommends "$@" && return 0
    if grep -q 'dpkg was interrupted' "$work/install.log"; then
        say 'An earlier installation was interrupted; finishing that first.'
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive dpkg --force-confold --configure -a \
            >"$work/configure.log" 2>&1 </dev/null || true
        run_apt install.log install --no-install-recommends "$@" && return 0
    fi
    complain "The installation did not go through."
    explain install.log
    return 1
}
