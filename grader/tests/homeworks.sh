# Sourced by the tests that go through the homeworks: which there are, and what their files say.
# shellcheck shell=bash

# The folders that HW= chooses; all without it.
chosen_homeworks() {
    local folder
    # shellcheck disable=SC2231 # a pattern, so unquoted
    for folder in hw${HW:-[0-9]*}_*/; do
        [ ! -e "$folder/grader.c" ] || echo "${folder%/}"
    done
}

topic_of() { echo "${1#*_}"; }

# "hw4.1 hw4.2 …" in the order of the grader's table.
task_ids() { sed -n 's/.*\.id = "\(hw[0-9]*\.[0-9]*\)".*/\1/p' "$1/grader.c"; }

# The first line of a wrong answer or cheat:
#   // gpu=<verdict> virtual=<verdict> diagnosis=<id> task=<id>
# Where the two devices see the same mistake differently: diagnosis=<gpu's id>|<virtual's id>
# Where chance decides between two on one device: <id>/<id>
# A cheat that attacks every homework says besides where it is seen differently, and a family of
# grader/cheats/spoilt where there is nothing that it could do:
#   // hw5: gpu=<verdict> virtual=<verdict> diagnosis=<id> task=any
#   // hw5: does not apply: <reason>
expected_line='^// gpu=(.+) virtual=(.+) diagnosis=([a-z0-9|/-]+) task=(hw[0-9]+\.[0-9]+|any)$'

# expectation FILE FIELD [HOMEWORK]: gpu, virtual, gpu_diagnosis, virtual_diagnosis or task.
expectation() {
    local line own homework=${3:-any}
    IFS= read -r line < "$1" || true
    own=$(grep -m 1 "^// ${homework%%_*}: gpu=" "$1" || true)
    [ -z "$own" ] || line="// ${own#*: }"
    [[ $line =~ $expected_line ]] || return 1
    case $2 in
    gpu) echo "${BASH_REMATCH[1]}" ;;
    virtual) echo "${BASH_REMATCH[2]}" ;;
    gpu_diagnosis) echo "${BASH_REMATCH[3]%|*}" ;;
    virtual_diagnosis) echo "${BASH_REMATCH[3]#*|}" ;;
    task) echo "${BASH_REMATCH[4]}" ;;
    esac
}

# The shared object that make built from a source of the tree; generic cheats have one a homework.
object_of() {
    local source=$1 homework=$2
    case $source in
    grader/cheats/spoilt/*) echo "${BUILD:-build}/cheats/$homework/spoilt/$(basename "$source" .cu).so" ;;
    grader/cheats/*/*) echo "${BUILD:-build}/${source%.cu}.so" ;;
    grader/cheats/*) echo "${BUILD:-build}/cheats/$homework/$(basename "$source" .cu).so" ;;
    "$(odd_style "$homework")") echo "${source%.cu}.so" ;;
    *) echo "${BUILD:-build}/${source%.cu}.so" ;;
    esac
}

wrong_answers() { compgen -G "$1/wrong/*.cu" || true; }
accepted_solutions() { compgen -G "grader/tests/accepted/$1/*.cu" || true; }
# One of them in an odd style, which make has written.
odd_style() { echo "${BUILD:-build}/odd_style/$1/answer/odd_style.cu"; }
rungs() { compgen -G "solutions/$1/*.cu" || true; }
baseline_on_a_ladder() { cut -f 1 "solutions/$1/ladder.tsv" 2> /dev/null | grep -xF "$1/baseline.cu" | uniq || true; }
# grep -L fails where no file has the line, and then it has listed them all.
cheats() {
    grep -L "^// ${1%%_*}: does not apply" grader/cheats/*.cu grader/cheats/spoilt/*.cu || true
    compgen -G "grader/cheats/$1/*.cu" || true
}

# The name under which the record of a candidate is kept; generic cheats have one a homework.
record_name() { tr -c 'A-Za-z0-9.\n-' _ <<< "$1-${2%.cu}"; }

# The task that a candidate is graded in: "any" is the one that the homework's entry names, or the
# first.
task_of() {
    local file=$1 homework=$2 task
    task=$(expectation "$file" task "$homework")
    case $task:$file in
    any:grader/cheats/spoilt/*) sed -n '1s,^// task=,,p' "grader/cheats/entries/$homework.cpp" ;;
    any:*) task_ids "$homework" | head -n 1 ;;
    *) echo "$task" ;;
    esac
}
