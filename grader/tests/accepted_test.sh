#!/usr/bin/env bash
# The accepted solutions of a homework are three or more, and differ from each other and from the
# reference in every task: the text of the task's function with all that it uses of its file.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh
# shellcheck source=grader/tests/homeworks.sh
. grader/tests/homeworks.sh

# "hw4.2 sum_shuffle", a task a line.
task_functions() {
    sed -n 's/.*\.id = "\(hw[0-9.]*\)".*/\1/p; s/.*\.function = "\(.*\)".*/\1/p' "$1/grader.c" |
        paste -d ' ' - -
}

# text_of FILE FUNCTION: without comments and blanks, in one line a definition.
text_of() {
    tr -d '\r' < "$1" | sed 's,//.*,,; s,[ \t]*$,,' | awk -v wanted="$2" '
        { text = text $0 "\n" }
        # A definition at the left margin ends with } or }; there, or with its line.
        /^[}]/ || (/^[^ \t}].*;$/ && text !~ /\{/) { take(text); text = "" }
        function take(text,    head, name) {
            head = text
            if (match(head, /^[^({;=]*(struct|class) [A-Za-z_0-9]+[^({;]*\{/)) # perhaps with a base
                sub(/ *(final)?[ \n]*[:{].*/, "", head)
            sub(/[({=;].*/, "", head)
            gsub(/__launch_bounds__|__align__|[^A-Za-z0-9_ \n]/, "", head)
            name = head
            sub(/[ \n]*$/, "", name)
            sub(/.*[ \n]/, "", name)
            if (name != "")
                body[name] = body[name] text
        }
        function show(name,    other, packed) {
            shown[name] = 1
            packed = body[name]
            gsub(/[ \t\n]/, "", packed)
            print packed
            for (other in body)
                if (!shown[other] && body[name] ~ "(^|[^A-Za-z0-9_])" other "([^A-Za-z0-9_]|$)")
                    show(other)
        }
        END { show(wanted) }' | sort
}

is_defined() { [ -n "$(text_of "$1" "$2")" ] || { echo "$1 defines no $2" && return 1; }; }

# The last is the reference. What comes close to a limit is not another technique.
all_differ() {
    local homework=$1 function=$2 one other files
    mapfile -t files < <(accepted_solutions "$homework" | grep -v /uses_the_host_too.cu &&
        echo "$homework/$(topic_of "$homework")_solution.cu")
    for one in "${files[@]}"; do
        is_defined "$one" "$function" || return 1
        for other in "${files[@]}"; do
            [[ $one < $other ]] || continue
            if [ "$(text_of "$one" "$function")" = "$(text_of "$other" "$function")" ]; then
                echo "the same in $one and $other" && return 1
            fi
        done
    done
}

three_or_more() { [ "$(accepted_solutions "$1" | wc -l)" -ge 3 ]; }

for homework in $(chosen_homeworks); do
    check "$homework: three or more solutions are accepted" three_or_more "$homework"
    while read -r id function; do
        check "$id: all accepted solutions of $function differ" all_differ "$homework" "$function"
    done < <(task_functions "$homework")
done

finish
