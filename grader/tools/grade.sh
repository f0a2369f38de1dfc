#!/usr/bin/env bash
# Runs graders: grade.sh MODE HOMEWORK…    MODE: grade, solution, replay, try, sanitize, profile
#
# The Makefile has built the graders and the candidates of the tree; FILE= (a path, or a pattern
# for several) is compiled here. Variables come through the environment. Exit code: the first
# that applies of 2, 77 (nothing could be graded), 1, 75, 0 over all that was graded.
set -euo pipefail

mode=$1
shift
homeworks=("$@")
build=${BUILD:-build}
results=$build/results
read -ra run <<< "${RUN:-}"

# shellcheck source=grader/tools/candidate.sh
. grader/tools/candidate.sh

# The files to grade for a homework, one a line: FILE= itself, or what it matches.
candidates_of() {
    local homework=$1 topic=${1#*_}
    if [ -z "${FILE:-}" ]; then
        [ "$mode" = solution ] && topic=${topic}_solution
        echo "$homework/$topic.cu"
    elif [ -d "$FILE" ]; then
        say "FILE=$FILE: that is a folder; name the .cu file in it."
        return 2
    elif [ -e "$FILE" ] && ! [ -f "$FILE" ]; then
        say "FILE=$FILE: that is no regular file."
        return 2
    elif [ -e "$FILE" ]; then
        echo "$FILE"
    elif ! compgen -G "$FILE"; then
        say "FILE=$FILE: $(no_such_file "$FILE" "$homework")."
        return 2
    fi
}

# The shared object of a file: built by make if it is the homework's own or, for make solution, the
# reference; else compiled here.
object_of() {
    local file=$1 homework=$2
    case $mode:$file in
    *:"$homework/${homework#*_}.cu" | solution:"$homework/${homework#*_}_solution.cu")
        echo "$build/${file%.cu}.so" ;;
    *)
        local object
        object=$(object_path "$file" "$homework")
        compile_candidate "$file" "$object" "$homework" >&2 || return
        echo "$object" ;;
    esac
}

grade_one() {
    local file=$1 homework=$2 object name options tools code=0
    object=$(object_of "$file" "$homework") || return
    name=$(result_name "$file")
    candidate_options "$file" "$object" "$homework"
    case $mode in
    try)
        "${run[@]}" "$build/$homework/grader" "${options[@]}" --mode=direct --try="${N:-8}" ;;
    sanitize)
        grader/tools/sanitize.sh "$homework" "$file" "${options[@]}" ;;
    profile)
        grader/tools/profile.sh "$homework" "$build/profile/$homework/$name" "${options[@]}" ;;
    *)
        mkdir -p "$results/$homework"
        tools=$(tools_sum "$homework")
        "${run[@]}" "$build/$homework/grader" "${options[@]}" --mode="$mode" \
            --student="${STUDENT:-}" --given="${FILE:+$file}" --hints="$build/hints/$homework" \
            --sha256="$(sha256sum < "$file" | cut -d ' ' -f 1)" \
            --results="$results/$homework/$name.jsonl" --summary="$results/summary" || code=$?
        [ "$(tools_sum "$homework")" = "$tools" ] || {
            say "Files of the grader were changed while $file was graded. What it earned is" \
                "void. If that was not you, look at its source; then make clean."
            code=2
        }
        return "$code" ;;
    esac
}

check_words() {
    local name
    if [ -n "${FILE:-}" ] && [ ${#homeworks[@]} -ne 1 ]; then
        say "FILE= needs HW=, to say which homework the file answers: make $mode HW=4 FILE=$FILE"
        exit 2
    fi
    if [ "$mode" = replay ] && { [ -z "${CASE:-}" ] || [ -z "${TASK:-}" ]; }; then
        say "replay needs the line that a failure printed: make replay HW=2 TASK=1 CASE=…"
        exit 2
    fi
    if [ "$mode" = try ] && ! [[ ${N:-8} =~ ^[1-9][0-9]{0,3}$ ]]; then
        say "N=$N: a size from 1 to 9999 is meant: make try HW=1 N=8"
        exit 2
    fi
    case ${DEVICE:-auto} in
    auto | gpu | virtual) ;;
    *)
        say "DEVICE=$DEVICE: it is auto, gpu or virtual."
        exit 2
        ;;
    esac
    if [ -n "${SEED:-}" ] && ! [[ $SEED =~ ^[0-9a-fA-F]{1,16}$ ]]; then
        say "SEED=$SEED: a hexadecimal number of at most 16 digits is meant: SEED=7f3a"
        exit 2
    fi
    for name in MEMORY_MIB COMPILE_S COMPILE_MIB; do
        if [ -n "${!name:-}" ] && ! [[ ${!name} =~ ^[1-9][0-9]{0,8}$ ]]; then
            say "$name=${!name}: a whole number is meant, from 1 on."
            exit 2
        fi
    done
    if [ ${#run[@]} -gt 0 ] && ! command -v -- "${run[0]}" > /dev/null; then
        say "RUN=$RUN: there is no command ${run[0]} on this machine."
        exit 2
    fi
}

# Keeps the gravest exit code of several runs.
declare -A seen=()
gravest() {
    local code
    if [ ${#seen[@]} -eq 1 ]; then
        echo "${!seen[@]}"
        return
    fi
    for code in 2 1 75; do
        [ -n "${seen[$code]:-}" ] && { echo "$code"; return; }
    done
    [ -n "${seen[77]:-}" ] && { echo 1; return; } # some could be judged, some not
    for code in "${!seen[@]}"; do
        [ "$code" != 0 ] && { echo "$code"; return; }
    done
    echo 0
}

# The file of a homework is one; what is no file by that name is a pattern, or several names.
is_class() { [ "$mode" = grade ] && [ -n "${FILE:-}" ] && ! [ -e "$FILE" ]; }

check_words
if ! { mkdir -p "$results" && : > "$results/summary"; } 2> /dev/null; then
    say "$results cannot be written: is the disk full, or the tree read-only? Nothing was graded."
    exit 2
fi
if is_class; then
    exec grader/tools/class.sh "${homeworks[0]}"
fi
graded=0
for homework in "${homeworks[@]}"; do
    files=$(candidates_of "$homework")
    while IFS= read -r file; do
        code=0
        grade_one "$file" "$homework" || code=$?
        seen[$code]=1
        graded=$((graded + 1))
    done <<< "$files"
done
if [ "$graded" -gt 1 ] && [ "$mode" != try ] && [ "$mode" != profile ]; then
    echo
    cat "$results/summary"
fi
exit "$(gravest)"
