#!/usr/bin/env bash
# Grades many files of one homework, one after the other: class.sh HOMEWORK
#
# FILE= is a pattern ('submissions/*/reduction.cu') or several names or patterns with blanks between
# them; a blank that belongs to a name has a backslash before it. Each file is compiled and graded
# like a single one. What a student would have read is in build/results/<homework>/<student>.txt,
# the record beside it; the table of all in build/results/<homework>.csv, and what went wrong how
# often in build/results/<hw4>_mistakes.md.
#
# The inputs have a seed that is drawn for the class and kept in build/results/<homework>.seed, so that
# nobody can bring the answers along; SEED= gives another. A second run keeps what was graded before if
# file, seed, device, tasks and grader are the same; FRESH=1 draws a seed and grades all anew.
#
# Exit code: 0 every file was graded, whatever its points; 3 some could not be; 77 none could, or none
# from one on, for want of a device; 2 a mistyped command; 130 stopped.
set -euo pipefail

# shellcheck source=grader/tools/candidate.sh
. grader/tools/candidate.sh
# shellcheck source=grader/tools/included.sh
. grader/tools/included.sh

homework=$1
topic=${homework#*_}
build=${BUILD:-build}
results=$build/results/$homework
grader=$build/$homework/grader
table=$build/results/$homework.csv
mistakes=$build/results/${homework%%_*}_mistakes.md
seed_file=$build/results/$homework.seed
read -ra run <<< "${RUN:-}"

# One entry a file, by its number: why it cannot be graded ('' if it can), what it is called, and its
# record, which the code of a file that is graded later could change on the disk.
files=() reasons=() real_files=() students=() names=() seconds=() records=() old_records=() old_keys=()
declare -A seen=()

# ---- which files ---------------------------------------------------------------------------------

# add_file FILE [REASON]
add_file() {
    local file=$1 reason=${2:-} path
    path=$(realpath -sm -- "$file")
    if [ -n "${seen[$path]:-}" ]; then
        echo "$file is named twice, and graded once."
        return
    fi
    seen[$path]=1
    if [ -n "$reason" ]; then
        : # known already
    elif [[ $file =~ [[:cntrl:]] ]]; then
        reason="its name has a control character"
    elif [ -d "$file" ]; then
        reason="it is a folder: name the .cu file in it"
    elif ! [ -f "$file" ]; then
        reason="it is no file"
    elif ! [ -r "$file" ]; then
        reason="it cannot be read: look at its permissions"
    elif [[ $file != *.cu ]]; then
        reason="its name does not end in .cu"
    elif leads_elsewhere "$file"; then
        reason="it is a link to a file elsewhere: the file itself is asked for"
    fi
    files+=("$file") reasons+=("$reason")
}

# add_matches WORD: a file by that name, or what the pattern matches. Fails if there is nothing.
add_matches() {
    local word=$1 file
    local -a matches=()
    [[ $word != -* ]] || word=./$word
    if [ -e "$word" ]; then
        matches=("$word")
    else
        mapfile -t matches < <(compgen -G "$word" | LC_ALL=C sort)
    fi
    [ ${#matches[@]} -gt 0 ] || return 1
    for file in "${matches[@]}"; do
        add_file "$file"
    done
}

# Two names that lead to one file: it may be one student's, whose folder another one has linked to.
refuse_linked() {
    local i other real
    local -A number=()
    for i in "${!files[@]}"; do
        [ -z "${reasons[$i]}" ] || continue
        real=$(realpath -- "${files[$i]}")
        real_files[i]=$real
        other=${number[$real]:-}
        if [ -n "$other" ]; then
            reasons[i]="it is the same file as ${files[$other]}: a link leads there"
            reasons[other]="it is the same file as ${files[$i]}: a link leads there"
        fi
        number[$real]=$i
    done
}

# own, or shared: whether another file of the class lies in the folder of this one.
folder_kind() {
    local i
    for i in "${!real_files[@]}"; do
        if [ "$i" -ne "$1" ] && [ "${real_files[$i]%/*}" = "${real_files[$1]%/*}" ]; then
            echo shared
            return
        fi
    done
    echo own
}

find_files() {
    local word
    local -a words=()
    # shellcheck disable=SC2153 # FILE is Make's
    ! add_matches "$FILE" || return 0
    # shellcheck disable=SC2162 # a backslash protects a blank
    while read -a words; do
        for word in "${words[@]}"; do
            add_matches "$word" || add_file "$word" "$(no_such_file "$word" "$homework")"
        done
    done <<< "$FILE"
}

# ---- the seed ------------------------------------------------------------------------------------

# Drawn by the kernel. It begins with a letter, so that no spreadsheet takes it for a number.
draw_seed() {
    local bytes
    bytes=$(od -An -N4 -tx4 /dev/urandom)
    bytes=${bytes// /}
    echo "$(tr 0-9 a-j <<< "${bytes:0:1}" | tr g-j a-d)${bytes:1}"
}

kept_seed() { [ ! -f "$seed_file" ] || head -c 100 "$seed_file"; }

# What SEED= says; else the class's, which a run that goes on, or grades some again, finds here.
choose_seed() {
    local drawn='^[a-f][0-9a-f]{7}$'
    seed_of_class=$(kept_seed)
    if [ -z "${SEED:-}" ] && { [ "${FRESH:-}" = 1 ] || ! [[ $seed_of_class =~ $drawn ]]; }; then
        seed_of_class=$(draw_seed)
    fi
    export SEED=${SEED:-$seed_of_class}
    keep_seed
}

# Again at the end: the code of a student could have chosen one for the next time.
keep_seed() {
    [ "$(kept_seed)" != "$seed_of_class" ] || return 0
    rm -rf "$seed_file"
    [ -z "$seed_of_class" ] || echo "$seed_of_class" > "$seed_file"
}

# ---- what the students are called ----------------------------------------------------------------

# Gives each file its name by the command, where that tells it from all others.
name_by() {
    local i name
    local -A count=()
    local -a candidates=()
    for i in "${!files[@]}"; do
        name=$("$1" "${files[$i]}")
        candidates+=("$name")
        count[$name]=$((${count[$name]:-0} + 1))
    done
    for i in "${!files[@]}"; do
        name=${candidates[$i]}
        if [ -z "${students[$i]}" ] && [ "${count[$name]}" -eq 1 ]; then
            students[i]=$name
        fi
    done
}

stem() { basename -- "$1" .cu; }
place() { dirname -- "$(realpath -sm -- "$1")"; }
folder() { basename -- "$(place "$1")"; }
folder_and_stem() { echo "$(folder "$1")/$(stem "$1")"; }
whole_path() { echo "${1%.cu}"; }

# The folder's name; in one folder that of the file; where neither tells two files apart, both.
name_students() {
    local i places stems
    for i in "${!files[@]}"; do
        students[i]=''
    done
    places=$(for i in "${!files[@]}"; do place "${files[$i]}"; done | sort -u | wc -l)
    stems=$(for i in "${!files[@]}"; do stem "${files[$i]}"; done | sort -u)
    if [ "$places" -eq 1 ] && [ "$stems" != "$topic" ]; then
        name_by stem
    fi
    name_by folder
    name_by folder_and_stem
    name_by whole_path
}

# Names of the students' files: what no file may be called is replaced, and none is used twice.
name_files() {
    local i name
    local -A used=()
    for i in "${!students[@]}"; do
        name=${students[$i]//[\/[:cntrl:]]/_}
        [[ $name != .* ]] || name=_${name#.}
        if [ "$(wc -c <<< "$name")" -gt 200 ]; then
            name=$(sha256sum <<< "$name" | cut -c 1-32)
        fi
        while [ -n "${used[$name]:-}" ]; do
            name+=_
        done
        used[$name]=1
        names[i]=$name
    done
}

# ---- one file ------------------------------------------------------------------------------------

# What the verdicts depend on besides the file and what it may include; with the seed that is chosen.
find_conditions() {
    conditions=$({
        nvidia-smi -L 2> /dev/null || true
        echo "$SEED ${DEVICE:-auto} ${TASK:-} ${STUDENT:-} ${MEMORY_MIB:-} ${ARCH:-} ${RUN:-}"
        cat "$build/toolchain" "$grader" "$build/$homework/baseline.so" \
            "$build"/virtual_gpu/libcudart.so grader/tools/{compile,included}.sh
    } | sha256sum)
}

# key NUMBER
key() {
    local file=${files[$1]} kind name names=(-false)
    kind=$(folder_kind "$1")
    for name in "${helper_names[@]}"; do names+=(-o -name "$name"); done
    [ "$kind" = shared ] || names+=(-o -name '*.cu')
    {
        echo "$conditions $kind"
        cat -- "$file"
        find "$(realpath -- "$(dirname -- "$file")")" -maxdepth 3 -type f \( "${names[@]}" \) -print0 |
            LC_ALL=C sort -z | xargs -0r cat --
    } | sha256sum | cut -c 1-64
}

interrupted='' child=''
tools=$(tools_sum "$homework") spoilt='' # whose code has changed them
hopeless='' # the exit code, if no file would fare better than this one
stop() {
    interrupted=$1
    [ -z "$child" ] || kill -TERM "$child" 2> /dev/null || true
}

# Runs a command that a signal to this script ends as well; leaves its exit code in `code`.
code=0
to_its_end() {
    code=0
    "$@" < /dev/null {lock}>&- &
    child=$!
    wait "$child" || code=$?
    [ -z "$interrupted" ] || wait "$child" 2> /dev/null || true
    child=''
}

# grade_file NUMBER: leaves the text and the record; the reason if it could not be graded.
grade_file() {
    local i=$1 file=${files[$1]} path=$results/${names[$1]} object options compiled=0
    object=$(object_path "$file" "$homework")
    candidate_options "$file" "$object" "$homework"
    rm -f "$path.jsonl" "$path.graded"
    code=2 # where even the text cannot be written
    {
        to_its_end grader/tools/compile.sh "$file" "$object" "$homework" "--class=$(folder_kind "$i")"
        compiled=$code
        [ -n "$interrupted" ] || [ "$compiled" -ne 0 ] ||
            to_its_end "${run[@]}" "$grader" "${options[@]}" --mode=grade \
            --student="${STUDENT:-${students[$i]}}" --given="$file" \
            --sha256="$(sha256sum < "$file" | cut -d ' ' -f 1)" --results="$path.jsonl"
    } > "$path.txt" 2>&1
    rm -f "$object" "${object%.so}".{d,headers,log}
    [ -z "$interrupted" ] || return 0
    if [ "$compiled" -ne 0 ]; then
        reasons[i]="it could not be compiled, and not for a fault of its own: see $path.txt"
    elif grep -qs '"diagnosis":"no-device"' "$path.jsonl" ||
        { [ "$code" -eq 2 ] && ! [ -s "$path.jsonl" ]; }; then
        hopeless=$code
        [ -s "$path.txt" ] || say "$path.txt cannot be written: is the disk full?"
        sed "/^nvcc /d" "$path.txt"
    elif [ "$code" -gt 128 ]; then
        reasons[i]="the grader was ended by signal $((code - 128)) meanwhile"
    elif ! [ -s "$path.jsonl" ]; then
        reasons[i]="the grader left no record (exit code $code)"
    elif grep -q '"verdict":"GRADER FAULT"' "$path.jsonl"; then
        reasons[i]="a fault of the grader: see $path.txt"
    elif [ "$code" -eq 77 ]; then
        reasons[i]="this device cannot judge it: see $path.txt"
    fi
}

# sum_of RECORD MEMBER: over the tasks.
sum_of() {
    sed -n "s/.*\"$2\":\([0-9.]*\).*/\1/p" "$1" |
        LC_ALL=C awk '{ sum += $1 } END { print sum + 0 }'
}

# What its line says after its name.
result_of() {
    local record=$results/${names[$1]}.jsonl stars all
    if [ -n "${reasons[$1]}" ]; then
        echo "not graded: ${reasons[$1]}"
        return
    fi
    printf '%3d / %-3d' "$(sum_of "$record" points)" "$(sum_of "$record" max_points)"
    all=$(grep -c '"star":true' "$record" || true)
    stars=$(grep -c '"star":true.*"verdict":"PASS"' "$record" || true)
    if [ "$all" -gt 0 ]; then
        printf '  %d of %d ★' "$stars" "$all"
    fi
    printf '%7s s' "${seconds[$1]}"
    if grep -qE '"diagnosis":"(compile-error|compiler-stopped)"' "$record"; then
        printf '  does not compile'
    elif grep -q '"verdict":"INCONCLUSIVE"' "$record"; then
        printf '  too noisy: grade again'
    fi
    echo "${2:-}"
}

# print_line NUMBER [WORD]: printf would count bytes for the width of a name.
print_line() {
    local total=${#files[@]} name=${students[$1]}
    local blanks=$((width - ${#name}))
    printf '%*d of %d  %s%*s  %s\n' ${#total} $(($1 + 1)) "$total" "$name" "$blanks" '' \
        "$(result_of "$@")"
}

# What an earlier run has left, read before any file is graded.
remember_earlier_run() {
    local i path
    for i in "${!files[@]}"; do
        path=$results/${names[$i]}
        old_records[i]=$(cat "$path.jsonl" 2> /dev/null || true)
        old_keys[i]=$(cat "$path.graded" 2> /dev/null || true)
    done
}

# Puts back what the code of another file has changed.
restore_records() {
    local i record
    for i in "${!records[@]}"; do
        record=$results/${names[$i]}.jsonl
        if [ "$(cat "$record" 2> /dev/null)" != "${records[$i]}" ]; then
            rm -rf "$record"
            printf '%s\n' "${records[$i]}" > "$record"
            say "The record of ${students[$i]} was changed while others were graded: it is restored."
        fi
    done
}

# Graded before, under the same conditions.
is_kept() {
    local path=$results/${names[$1]} old_key old_seconds
    [ "${FRESH:-}" != 1 ] && [ -n "${old_records[$1]}" ] && [ -s "$path.txt" ] &&
        read -r old_key old_seconds <<< "${old_keys[$1]}" && [ "$old_key" = "$2" ] || return 1
    seconds[$1]=$old_seconds
    records[$1]=${old_records[$1]}
    [ "$(cat "$path.jsonl" 2> /dev/null)" = "${records[$1]}" ] || restore_records
}

# Grades a file, prints its line and keeps its result. Fails if a signal came first: it may have ended
# any of the commands that say how the file fared.
grade_number() {
    local i=$1 path=$results/${names[$1]} start end file_key sum record line
    start=$(date +%s.%N)
    file_key=$(key "$i")
    [ -z "$interrupted" ] || return 1
    if is_kept "$i" "$file_key"; then
        print_line "$i" '  graded before'
        return
    fi
    [ ! -t 1 ] || printf '%d of %d  %s …\r' $((i + 1)) ${#files[@]} "${students[$i]}"
    grade_file "$i"
    [ -z "$hopeless" ] || return 0
    sum=$(tools_sum "$homework")
    record=$(cat "$path.jsonl" 2> /dev/null || true)
    end=$(date +%s.%N)
    seconds[i]=$(LC_ALL=C awk -v start="$start" -v end="$end" \
        'BEGIN { printf "%.1f", end - start }')
    line=$(print_line "$i")
    if [ -n "$interrupted" ]; then
        rm -f "$path.jsonl" "$path.txt"
        seconds[i]=''
        return 1
    fi
    [ ! -t 1 ] || printf '\033[K'
    if [ "$sum" != "$tools" ]; then
        reasons[i]="files of the grader were changed meanwhile; if not by you, look at its source"
        spoilt=${students[$i]}
        print_line "$i"
        return
    fi
    records[i]=$record
    echo "$line"
    # What noise or a fault has spoilt is graded again next time.
    if [ -z "${reasons[$i]}" ] && [[ $record != *'"verdict":"INCONCLUSIVE"'* ]]; then
        echo "$file_key ${seconds[$i]}" > "$path.graded"
    fi
}

# Where the compilers look for headers is asked once, not for every file: compile.sh reads it.
ask_for_system_folders() {
    local scratch
    scratch=$(mktemp -d)
    # shellcheck source=/dev/null
    SYSTEM_FOLDERS=$(. "$build/toolchain" && system_folders "$scratch")
    export SYSTEM_FOLDERS
    rm -rf "$scratch"
}

# ---- all of them ---------------------------------------------------------------------------------

# The grader program knows tasks and diagnoses: it writes the table and the page of mistakes.
write_tables() {
    local i list=$results/.class
    restore_records
    keep_seed
    for i in "${!files[@]}"; do
        printf '%s\t%s\t%s\t%s\t%s\t%s\n' "${students[$i]//[[:cntrl:]]/?}" \
            "${files[$i]//[[:cntrl:]]/?}" "$results/${names[$i]}.jsonl" \
            "$results/${names[$i]}.txt" "${seconds[$i]:-}" "${reasons[$i]}"
    done > "$list"
    "$grader" --mode=class --class="$list" --csv="$table.new" --mistakes="$mistakes.new"
    rm -f "$list"
    mv "$table.new" "$table"
    mv "$mistakes.new" "$mistakes"
    echo "seed      $SEED"
    echo "table     $table"
    echo "mistakes  $mistakes"
    echo "texts     $results/<student>.txt"
}

# Where no file that follows would fare better.
give_up() {
    if [ ${#records[@]} -eq 0 ]; then
        say "Nothing was graded."
    else
        say "Graded before that: ${#records[@]} of ${#files[@]} files. The same command goes on there."
    fi
    exit "$hopeless"
}

find_files
refuse_linked
if [ ${#files[@]} -eq 0 ]; then
    say "FILE=$FILE: no file is named."
    exit 2
fi
graded=0
for i in "${!files[@]}"; do
    [ -n "${reasons[$i]}" ] || graded=$((graded + 1))
done
if [ "$graded" -eq 0 ]; then
    prefix=FILE=
    [ ${#files[@]} -eq 1 ] || prefix=
    for i in "${!files[@]}"; do
        say "${prefix}${files[$i]}: ${reasons[$i]}."
    done
    say "Nothing was graded."
    exit 2
fi
name_students
name_files
mkdir -p "$results"
# Two at once would mix their records. What is graded does not hold the lock.
exec {lock}> "$results/.lock"
if command -v flock > /dev/null; then
    flock -n "$lock" || [ $? -ne 1 ] || { # 1: another holds it
        say "A class is being graded in $build already: wait for it, or set BUILD= to another folder."
        exit 2
    }
fi
choose_seed
find_conditions
width=0
for i in "${!students[@]}"; do
    [ ${#students[$i]} -le "$width" ] || width=${#students[$i]}
done

ask_for_system_folders
remember_earlier_run
trap 'stop 2' INT
trap 'stop 15' TERM
trap 'stop 1' HUP
for i in "${!files[@]}"; do
    if [ -n "$interrupted" ]; then
        reasons[i]=${reasons[i]:-"stopped before its turn"}
    elif [ -n "$spoilt" ] && [ -z "${reasons[$i]}" ]; then
        reasons[i]="files of the grader were changed by $spoilt"
        print_line "$i"
    elif [ -n "${reasons[$i]}" ]; then
        print_line "$i"
    else
        grade_number "$i" || reasons[i]="stopped before its turn"
        [ -z "$hopeless" ] || give_up
    fi
done
echo
trap '' INT TERM HUP # what is graded is written down, however often Ctrl-C is pressed
write_tables
if [ -n "$interrupted" ]; then
    echo "Stopped. The same command goes on where it was; with FRESH=1 it starts anew."
    exit $((128 + interrupted))
fi
code=0
for i in "${!files[@]}"; do
    [ -z "${reasons[$i]}" ] || code=3
done
if [ "$code" -eq 3 ]; then
    echo "Some files were not graded: their lines say why. The error below only means that."
    exit 3
fi
