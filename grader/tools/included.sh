# Sourced by compile.sh: of what files a candidate was made, and whether they are its own. Both are
# read from the preprocessed texts (*.ii) that nvcc leaves in a folder, one for the host and one for
# each kind of device.
# shellcheck shell=bash

# What a helper beside a file is called: sources may include it, and do not stand for themselves.
# shellcheck disable=SC2034 # who sources this reads it
helper_names=('*.h' '*.cuh' '*.hpp' '*.inl' '*.inc')

# files_read FOLDER: the files of which the texts were made, each name ended by a zero byte. The
# preprocessor has marked them (# 1 "folder/file.h" 1), so none is missing; one that a #line of the
# source has invented may be among them.
files_read() {
    local quoted name
    sed -nE 's/^# [0-9]+ "(.+)"[ 0-9]*$/\1/p' "$1"/*.ii | LC_ALL=C sort -u |
        while IFS= read -r quoted; do
            printf -v name '%b' "$quoted"
            [[ $name == "<"*">" ]] || printf '%s\0' "$name"
        done
}

# made_directive FOLDER: the first directive that is left in the texts, if there is one. A macro has
# made it; the compiler proper, which looks for directives once more, would follow it unseen.
made_directive() {
    LC_ALL=C awk '
        { line = line $0 }
        sub(/\\$/, "", line) { next }
        line ~ /^[ \t\f\v\r]*(#|%:)/ && line !~ /^ *# *([0-9]|(pragma|ident)([ \t]|$))/ {
            sub(/^[ \t\f\v\r]*/, "", line)
            print line
            exit
        }
        { line = "" }' "$1"/*.ii
}

# system_folders SCRATCH: where the compilers look for headers, one folder a line, as they name it and
# as it is without links: the preprocessor prints the shorter one.
system_folders() {
    local folder
    : > "$1/empty.cu"
    # shellcheck disable=SC2086 # CCBIN is a list of options
    {
        LC_ALL=C "$NVCC" $CCBIN -E -Xcompiler -v "$1/empty.cu" 2>&1 > /dev/null |
            sed -n '/search starts here/,/^End of search list/s/^ //p'
        echo "$CUDA_INCLUDE"
    } | sort -u | while IFS= read -r folder; do
        realpath -ms -- "$folder"
        realpath -m -- "$folder"
    done
}

lies_in() { [[ -n $2 && $1 == "$2"/* ]]; } # FILE FOLDER; in no folder lies nothing

# file_of_others SOURCE CONTRACT SCRATCH own|shared: the first file in the texts of SCRATCH/kept that
# the source may not be made of in a class. Its own are those in its folder; in a folder that several
# students share, not the sources. A link counts as where it leads: only the system's may lead away.
# SYSTEM_FOLDERS holds what system_folders has printed, where many files are compiled.
file_of_others() {
    local own_file own_folder contract given folder i
    local -a names=() plain=() real=() folders=()
    own_file=$(realpath -- "$1") contract=$(realpath -- "$2") given=$(realpath grader/include)
    own_folder=$(dirname -- "$own_file")
    mapfile -t folders <<< "${SYSTEM_FOLDERS:-$(system_folders "$3")}"
    mapfile -d '' -t names < <(files_read "$3/kept")
    mapfile -d '' -t plain < <(printf '%s\0' "${names[@]}" | xargs -0 realpath -zms --)
    mapfile -d '' -t real < <(printf '%s\0' "${names[@]}" | xargs -0 realpath -zm --)
    if [ ${#real[@]} -ne ${#names[@]} ] || [ ${#plain[@]} -ne ${#names[@]} ]; then
        echo "a file whose name leads nowhere"
        return
    fi
    for i in "${!names[@]}"; do
        case ${real[$i]} in
        "$own_file" | "$contract" | "$given"/*) continue ;;
        esac
        if lies_in "${real[$i]}" "$own_folder" &&
            { [ "$4" = own ] || [[ ${real[$i]} != *.cu ]]; }; then
            continue
        fi
        for folder in "${folders[@]}"; do
            if lies_in "${plain[$i]}" "$folder" || lies_in "${real[$i]}" "$folder"; then
                continue 2
            fi
        done
        # What is not there was not read: a #line names it. Files of processes come and go.
        case ${real[$i]} in
        /proc/* | /dev/*) ;;
        *) [ -e "${real[$i]}" ] || continue ;;
        esac
        printf '%s\n' "${names[$i]}"
        return
    done
}

# A link to a file in another folder: with the teacher's rights that could be any file.
leads_elsewhere() {
    [ -L "$1" ] && [ "$(dirname "$(realpath -- "$1")")" != "$(realpath -- "$(dirname -- "$1")")" ]
}
