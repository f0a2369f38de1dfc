# Sourced by grade.sh and class.sh: where the files of a candidate go, and what its grader is told.
# shellcheck shell=bash

say() { printf '%s\n' "$*" >&2; }

# plain_name TEXT: with _ for what no path of ours holds.
plain_name() { tr -c 'A-Za-z0-9.\n-' _ <<< "$1"; }

# object_path FILE HOMEWORK: of a file that is not the homework's own. The sum of the whole path
# keeps files of the same name apart, and apart from those whose names are cut.
object_path() {
    local name sum
    name=$(plain_name "$(basename -- "$1")")
    sum=$(realpath -sm -- "$1" | sha256sum)
    echo "${BUILD:-build}/files/$2/${name:0:200}-${sum:0:12}.so"
}

# result_name FILE: what its record is called, after its path; a file system takes 255 bytes.
result_name() {
    local name sum
    name=$(plain_name "$1")
    sum=$(sha256sum <<< "$name")
    [ ${#name} -le 200 ] || name=${sum:0:12}${name: -180}
    echo "$name"
}

# compile_candidate FILE OBJECT HOMEWORK: whatever comes of it is the grader's to say, but for a full disk.
compile_candidate() {
    grader/tools/compile.sh "$@" || return
    rm -f "${2%.so}.d" # make need not know of it, and could not read every name
}

# no_such_file FILE HOMEWORK: the reason; and for a bare name, where the homework has it.
no_such_file() {
    local there=$2/$1
    case $1 in
    */*) there= ;;
    esac
    echo "there is no such file$([ ! -f "$there" ] || echo "; there is FILE=$there")"
}

# candidate_options FILE OBJECT HOMEWORK: leaves them in the array `options`.
candidate_options() {
    local build=${BUILD:-build}
    # shellcheck disable=SC2034 # the caller reads it
    options=(--file="$1" --candidate="$2" --log="${2%.so}.log"
        --baseline="$build/$3/baseline.so" --virtual="$build/virtual_gpu"
        --device="${DEVICE:-auto}" --task="${TASK:-}" --case="${CASE:-}" --seed="${SEED:-}"
        --memory="${MEMORY_MIB:-}")
}

# tools_sum HOMEWORK: of all that judges a candidate, which a candidate must not change.
tools_sum() {
    local build=${BUILD:-build}
    { cat "$build/toolchain" "$build/$1/grader" "$build/$1/baseline.so" \
        "$build/virtual_gpu/libcudart.so" "$1/${1#*_}.h" Makefile grader/tools/*.sh \
        grader/include/*.h 2> /dev/null || true; } | sha256sum
}
