#!/usr/bin/env bash
# Compiles a candidate to a shared object: compile.sh SOURCE OBJECT HOMEWORK [--cheat | --class=…]
#
# Prints the nvcc line (it is part of the lesson) and nvcc's messages, which also go to
# OBJECT's .log. If the file does not compile there is no OBJECT, and that is for the grader to
# say: the exit code is 0. It is 2, with a sentence, where the disk is full, which says nothing of the
# file. The contract is forced in, so that a header beside the file cannot
# replace it. A cheat is told where the solution is. In a class a file may be made of what lies in its
# own folder, of the contract and of headers of the system: --class=own, or --class=shared where
# several students have their files in that folder.
set -euo pipefail

# What nvcc may take. A homework needs a tenth of each.
limit_s=${COMPILE_S:-180} memory_mib=${COMPILE_MIB:-4096} file_mib=256
log_bytes=200000
source_file=$1 object=$2 homework=$3
build=${BUILD:-build}
# shellcheck source=/dev/null
. "$build/toolchain"
# shellcheck source=grader/tools/included.sh
. grader/tools/included.sh

extra=()
kind=${4:-}
if [ "$kind" = --cheat ]; then
    extra=(-I. "-DSOLUTION=\"$homework/${homework#*_}_solution.cu\"")
fi
log=${object%.so}.log
made=$object.$$ # another make may build, or grade, the same file just now
scratch=$(mktemp -d)
trap 'rm -rf "$scratch" "$made"' EXIT

# nvcc hands the name on to a shell, which would take some characters for its own, takes a comma for its
# own, and looks at how the name ends: such a file is compiled as a copy, beside copies of the headers
# that lie beside it.
copied() {
    local beside folder name
    folder=$(dirname -- "$1")
    mkdir "$scratch/folder"
    for name in "${helper_names[@]}"; do
        for beside in "$folder"/$name; do
            [ -f "$beside" ] || continue
            [[ $kind != --class=* ]] || ! leads_elsewhere "$beside" || continue
            cp -- "$beside" "$scratch/folder/"
        done
    done
    cp -- "$1" "$scratch/folder/candidate.cu"
    echo "$scratch/folder/candidate.cu"
}
path=$source_file
file_name=${path##*/} # nvcc names its files on the way after it, with something added
case $path in
*[\$\`\"\\,]* | *[!u] | *[!c]u | *[!.]cu) path=$(copied "$path") ;;
*) [ ${#file_name} -lt 200 ] || path=$(copied "$path") ;;
esac
contract=$homework/${homework#*_}.h
# shellcheck disable=SC2206,SC2054 # GENCODE and CCBIN are lists of options; the comma is -Xcompiler's
command=("$NVCC" $CCBIN -std=c++17 -O3 -lineinfo $GENCODE -cudart shared -shared
    -Xcompiler -fPIC,-Wall,-Wextra,-Wno-unused-parameter
    -Igrader/include -include "$contract" "${extra[@]}" -MD -MF "${object%.so}.headers" -MT "$object"
    --keep --keep-dir "$scratch/kept"
    -o "$made" "$path")

# The reference, if that is what was compiled under another name. What is in grader/ may include it.
reference_used() {
    [[ $source_file != grader/* && $source_file != *_solution.cu ]] || return 1
    { realpath -- "$source_file"; tr -s ' \\\n' '\n' < "$1"; } |
        grep -E "(^|/)${homework#*_}_solution\.cu$" | sed -n 1p
}

# All headers, those of the toolkit as well, say what library is used; make needs those of the tree.
headers_for_make() {
    ! grep -q '\\ ' "$1" || return 0 # a blank in a name: such a file is not make's
    tr -s ' \\\n' '\n' < "$1" | awk -v object="$object" '
        $0 != "" && !/^\// && !/:$/ && $0 != object { print object ": " $0 "\n" $0 ":" }'
}

mkdir -p "$(dirname "$object")" "$scratch/kept"
if [ "${V:-0}" = 1 ]; then
    printf '%q ' "${command[@]/#"$made"/$object}"
    echo
else
    echo "nvcc  -std=c++17 -O3 -lineinfo $GENCODE … $source_file"
fi
# The compiler within its limits, in a process group of its own, which timeout makes. Its files on
# the way lie in a folder of ours, so that none stays.
run_nvcc() (
    # A limit that is lower already cannot be raised, and need not be.
    {
        ulimit -c 0
        ulimit -f $((file_mib * 1024))
        ulimit -v $((memory_mib * 1024))
    } 2> /dev/null || true
    export TMPDIR=$scratch
    echo "$BASHPID" > "$scratch/group"
    exec timeout --kill-after=5 "$limit_s" "${command[@]}" < /dev/null
)
# The PTX and each machine code are compiled for themselves, and each says it again.
warnings_once() {
    awk -v RS= '!/^Remark: The warnings can be suppressed/ && !seen[$0]++ { print $0 "\n" }' "$1"
}
# Why what compiles does not count, if it does not.
why_refused() {
    local made included others
    made=$(made_directive "$scratch/kept")
    if [ -n "$made" ]; then
        echo "a macro makes a directive here, which hides what it does: $made"
    elif included=$(reference_used "${object%.so}.headers"); then
        echo "this is, or includes, the reference: $included"
    elif [[ $kind == --class=* ]]; then
        others=$(file_of_others "$path" "$contract" "$scratch" "${kind#--class=}")
        [ -z "$others" ] || echo "it includes a file that is not its own: $others"
    fi
}
# A line with nvcc's word for an error, which is what the grader looks for.
error_line='(^|[[:space:]])(error|fatal)[-#0-9D ]*(error)?[[:space:]]*:'
# Of standard input the beginning, and the first error if that comes later.
kept_of_log() {
    head -c "$log_bytes"
    head -c 100000000 | LC_ALL=C awk -v error="$error_line" '$0 ~ error && !n++ { print "\n" $0 }'
    cat > /dev/null
}
# Ctrl-C does not reach that group.
stop() {
    trap '' INT TERM HUP
    kill -KILL -- "-$(cat "$scratch/group" 2> /dev/null)" 2> /dev/null || true
    wait
    exit "$1"
}
trap 'stop 130' INT
trap 'stop 143' TERM
trap 'stop 129' HUP
code=0
{ run_nvcc 2>&1 || echo $? > "$scratch/code"; } | kept_of_log > "$log" &
wait $!
trap - INT TERM HUP
[ ! -e "$scratch/code" ] || code=$(< "$scratch/code")

# Which limit ended it, if one did.
why_stopped() {
    if [ "$code" -eq 124 ] || [ "$code" -eq 137 ]; then
        echo "after $limit_s s"
    elif grep -qiE "out of memory|memory exhausted|bad_alloc|cannot allocate memory" "$log"; then
        echo "at $memory_mib MiB of memory"
    elif [ "$code" -eq 153 ] || grep -qE "signal 25|File size limit|File too large" "$log"; then
        echo "at a file of $file_mib MiB"
    fi
}
# What a file can make nvcc print stands behind a # or in quotation marks. gcc may name another reason
# than the disk.
is_disk_full() {
    grep -avE '#(error|warning|pragma)|"' "$log" |
        grep -aqE 'error: (when )?writing|(writing|write|close|link failed).*(No space left on device|Disk quota exceeded)$'
}
is_utf16() { [[ $(head -c 2 -- "$1" | od -An -tx1) =~ ^\ (ff\ fe|fe\ ff)$ ]]; }
if [ "$code" -ne 0 ]; then
    rm -f "$object"
    stopped=$(why_stopped)
    if [ -z "$stopped" ] && is_disk_full; then
        echo "$source_file: no space was left to compile it, in $build or in the folder for files on the" \
            "way (TMPDIR). That is no fault of the file: it was not graded." >&2
        exit 2
    fi
    first=${stopped:+the compiler was stopped $stopped}
    ! is_utf16 "$source_file" || first="the file is UTF-16 text, which nvcc cannot read"
    if [ -n "$first" ]; then
        # The first line is what the student reads.
        printf 'error: %s\n\n' "$first" | cat - "$log" > "$scratch/log"
        cat "$scratch/log" > "$log"
    fi
    LC_ALL=C grep -aqE "$error_line" "$log" || printf '\nerror: nvcc failed without a word\n' >> "$log"
else
    refused=$(why_refused)
    if [ -n "$refused" ]; then
        rm -f "$object"
        echo "error: $refused" > "$log"
        exit
    fi
    mv "$made" "$object"
    headers_for_make "${object%.so}.headers" > "${object%.so}.d"
    warnings_once "$log"
fi
