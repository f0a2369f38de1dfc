#!/usr/bin/env bash
# A rung without its body, to type in front of the class: live.sh HOMEWORK
#
# Reads RUNG (its number in the ladder, or its name), TASK (the ladder; the first one without it) and
# FORCE=1 (begins anew). Writes BUILD/live/HOMEWORK/NAME.cu, and says how to grade it. A file in which
# something was typed is left alone. Exit code: 0, or 2 with a sentence.
set -euo pipefail
# shellcheck source=grader/tools/ladder.sh
. grader/tools/ladder.sh

homework=${1:-}
folder=${BUILD:-build}/live/$homework

require_ladder live "$homework" "${TASK:-}"
number=$(number_of "$homework")

# "FILE TAB TASK" of the rungs that can be meant, numbered from 1 by their lines.
rungs() {
    local task
    task=$(task_id "$homework" "${TASK:-}")
    if [ -z "$task" ] && [[ ${RUNG:-} =~ ^[0-9]*$ ]]; then
        task=$(ladder_tasks "$homework" | head -n 1)
    fi
    ladder_rows "$homework" "$task" | cut -f 1,2
}

list() {
    rungs | awk -F '\t' '
        { name = $1; sub(/.*\//, "", name); sub(/\.cu$/, "", name) }
        $2 != task { task = $2; count = 0 }
        { printf "  RUNG=%d  TASK=%s  %s\n", ++count, substr(task, index(task, ".") + 1), name }'
}

# The line of rungs() that RUNG names.
chosen_rung() {
    if [[ ${RUNG:-} =~ ^[0-9]+$ ]]; then
        rungs | sed -n "$((10#$RUNG))p"
    else
        rungs | awk -F '\t' -v wanted="${RUNG:-}" '
            { name = $1; sub(/.*\//, "", name); sub(/\.cu$/, "", name) }
            name == wanted { print; exit }'
    fi
}

# The rung with nothing between SOLVED and END of its task.
without_body() {
    awk -v task="$2" -v name="$(rung_name "$1")" '
        index($0, "SOLVED(" task ")") { print "// TODO(" task "): " name "\n"; skipping = 1 }
        index($0, "END(" task ")")    { skipping = 0 }
        !skipping' "$1"
}

[ -n "${RUNG:-}" ] || refuse "Which rung? $homework has" "$(list)"
IFS=$'\t' read -r file task < <(chosen_rung) || refuse "RUNG=$RUNG: there is no such rung. There are" "$(list)"
grep -qF "SOLVED($task)" "$file" ||
    refuse "$file has no part between SOLVED($task) and END($task) that could be taken out."

name=$(rung_name "$file")
# A file that is a rung of several ladders is typed for one of them.
[ "$(ladder_rows "$homework" | cut -f 1 | grep -cxF "$file")" -eq 1 ] || name=${name}_${task#*.}
typed=$folder/$name.cu
require_folder live "$folder"
without_body "$file" "$task" > "$typed.new"
if [ -e "$typed" ] && [ "${FORCE:-}" != 1 ] && ! cmp -s "$typed.new" "$typed"; then
    rm "$typed.new"
    refuse "$typed is there already, and something was typed in it: it is left as it is." \
        "To begin anew: make live HW=$number TASK=${task#*.} RUNG=$RUNG FORCE=1"
fi
mv "$typed.new" "$typed"
echo "$typed: type below TODO($task), then"
echo "  make grade HW=$number TASK=${task#*.} FILE=$typed"
