#!/usr/bin/env bash
# The ladders of a homework: ladder.sh files HOMEWORK [TASK]    the sources of its rungs, one a line
#
# Sourced by the tools for the class. A ladder is a stretch of SOLUTIONS/HOMEWORK/ladder.tsv with one
# task, naive first; its columns, a tab between them: file, task, verdict, sentence.
# Rows are what demo.sh measures and records, one a rung; a heading says on what:
#   # DEVICE, driver RELEASE, CUDA RELEASE, DAY, measured|modelled
#   file task verdict ns bytes share speed_up gate kind limit_name limit_gb_s baseline counted
# with a tab between them, - where there is nothing. `ns` is of one call; `~` before it: not measured,
# expected from a smaller problem. `kind` says what the share is a share of: of a bandwidth; overlap:
# of the time that can be hidden; lesson: of what the lesson names; baseline: a speed-up. `counted` is
# "value what (at most N)", with a semicolon between several.
set -euo pipefail

solutions=${SOLUTIONS:-solutions}
export row_columns='file	task	verdict	ns	bytes	share	speed_up	gate	kind	limit_name	limit_gb_s	baseline	counted'

refuse() {
    printf '%s\n' "$@" >&2
    exit 2
}

# require_folder GOAL FOLDER: it is there, and can be written.
require_folder() {
    { mkdir -p "$2" && [ -w "$2" ]; } 2> /dev/null ||
        refuse "$2 cannot be written: make $1 BUILD=FOLDER … puts it elsewhere."
}

# hw4_reduction → 4
number_of() {
    local prefix=${1%%_*}
    echo "${prefix#hw}"
}

# ladder_rows HOMEWORK [TASK]: without the line that names the columns.
ladder_rows() {
    local ladder=$solutions/$1/ladder.tsv
    [ ! -e "$ladder" ] ||
        awk -F '\t' -v task="${2:-}" '!/^#/ && NF && (task == "" || $2 == task)' "$ladder"
}

# The tasks that have a ladder, in the order of the file.
ladder_tasks() { ladder_rows "$1" | cut -f 2 | uniq; }

# 2, 4.2 and hw4.2 → hw4.2
task_id() {
    local prefix=${1%%_*} task=$2
    case $task in
    '' | "$prefix".*) echo "$task" ;;
    "${prefix#hw}".*) echo "hw$task" ;;
    *) echo "$prefix.$task" ;;
    esac
}

rung_name() { basename "$1" .cu; }
rung_title() { case $1 in *_solution.cu) echo "the reference" ;; *) rung_name "$1" ;; esac; }

rung_object() { echo "${BUILD:-build}/${1%.cu}.so"; }

# The title of a task, as the grader prints it.
task_title() {
    [ ! -e "$1/grader.c" ] || sed -n "/\.id = \"$2\"/,/\.title/s/.*\.title = \"\(.*\)\",*\$/\1/p" "$1/grader.c"
}

# Ends with a sentence unless HOMEWORK is one folder that has a ladder, for TASK if that is given.
require_ladder() {
    local goal=$1 homework=$2 task=$3 with=() id
    for id in "$solutions"/*/ladder.tsv; do
        [ ! -e "$id" ] || with+=("make $goal HW=$(number_of "$(basename "$(dirname "$id")")")")
    done
    [ ${#with[@]} -gt 0 ] ||
        refuse "There is no ladder: no $solutions/<homework>/ladder.tsv. It is not in the students' bundle."
    [ -n "$homework" ] || refuse "The ladder of which homework? There are" "${with[@]/#/  }"
    [ -n "$(ladder_rows "$homework")" ] ||
        refuse "$homework has no ladder ($solutions/$homework/ladder.tsv). There are" "${with[@]/#/  }"
    [ -z "$task" ] || [ -n "$(ladder_rows "$homework" "$(task_id "$homework" "$task")")" ] ||
        refuse "TASK=$task: $homework has no ladder for that. It has" \
            "$(ladder_tasks "$homework" | while IFS= read -r id; do
                echo "  TASK=${id#*.}  $(task_title "$homework" "$id")"
            done)"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
    [ "${1:-}" = files ] || refuse "ladder.sh files HOMEWORK [TASK]"
    ladder_rows "$2" "$(task_id "$2" "${3:-}")" | cut -f 1 | sort -u
fi
