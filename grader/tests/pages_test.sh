#!/usr/bin/env bash
# What the pages of the project say: links lead somewhere, commands can be typed, points are the
# grader's, the glossary has every word that a README introduces, each topic is explained where
# solutions/README.md says, and the code in grader/README.md is that of the tree.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh
# shellcheck source=grader/tests/homeworks.sh
. grader/tests/homeworks.sh

# Every page that git tracks or would track; without git all but those that are built.
pages() {
    git ls-files --cached --others --exclude-standard -- '*.md' 2> /dev/null ||
        find . -name '*.md' -not -path './build/*' | sed 's,^\./,,'
}

# The targets of a page's links within the project, one a line; not those in indented code.
links_of() { grep -v '^    ' "$1" | grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//' | grep -vE '^[a-z]+:' || true; }

# The anchors of a page's headings.
anchors_of() {
    sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | LC_ALL=C sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# What is wrong with the links of a page, one line each.
dead_links() {
    local page=$1 link file anchor
    while IFS= read -r link; do
        file=${link%%#*} anchor=${link#"$file"}
        if [ -n "$file" ]; then file=$(dirname "$page")/$file; else file=$page; fi
        if [ ! -e "$file" ]; then
            echo "$link: there is no $file"
        elif [ -n "$anchor" ] && ! anchors_of "$file" | grep -qxF -- "${anchor#\#}"; then
            echo "$link: $file has no such heading"
        fi
    done < <(links_of "$page" | sort -u)
}

has_no_dead_links() {
    local dead
    dead=$(dead_links "$1")
    [ -z "$dead" ] || { echo "$dead" && false; }
}

# Tests that a page names by their files.
named_tests_exist() {
    local name missing=0
    while IFS= read -r name; do
        compgen -G "grader/tests/$name" > /dev/null || compgen -G "grader/virtual_gpu/tests/$name" > /dev/null ||
            { echo "there is no test $name" && missing=1; }
    done < <(grep -oE '[a-z_*]+_test\.(sh|c)' "$1" | sort -u)
    [ $missing -eq 0 ]
}

# ---- the glossary ------------------------------------------------------------------------------

# "word<TAB>links" of each row.
rows() { sed -n 's/^| \([^|]*[^| ]\) |[^|]*|[^|]*| \(\[hw.*\) |$/\1\t\2/p' GLOSSARY.md; }

is_sorted() { rows | cut -f 1 | LC_ALL=C sort -f -c; }

# The bold words of a README, lower case; bold sentences and headings within a text are none.
new_words() {
    tr '\n' ' ' < "$1" | grep -oE '\*\*[^*]+\*\*' | sed 's/\*//g' | tr '[:upper:]' '[:lower:]' |
        grep -vE '[.,]' | sed "s/^the //; s/'s\$//" | sort -u
}

# One row may serve "bank" and "banks", "priority" and "priorities".
every_new_word_is_explained() {
    local word missing=0
    while IFS= read -r word; do
        rows | cut -f 1 | tr '[:upper:]' '[:lower:]' |
            grep -qxF -e "$word" -e "${word%s}" -e "${word%ies}y" ||
            { echo "$word" && missing=1; }
    done < <(new_words "$1/README.md")
    [ $missing -eq 0 ]
}

# The homeworks that a row names do use the word.
every_word_is_taught() {
    local word links page missing=0
    while IFS=$'\t' read -r word links; do
        while IFS= read -r page; do
            tr '\n' ' ' < "$page" | grep -qiF -e "$word" -e "${word%y}ies" ||
                { echo "$word is not in $page" && missing=1; }
        done < <(grep -oE 'hw[0-9]+_[a-z_]+/README\.md' <<< "$links")
    done < <(rows)
    [ $missing -eq 0 ]
}

# ---- the topics in solutions/README.md ----------------------------------------------------------

topics_page=solutions/README.md
topic_count=115

# "number<TAB>file#anchor<TAB>words" of each row.
topics() {
    sed -nE 's/^\| ([0-9]+|–) \| [^|]* \| \[[^]]*\]\(\.\.\/([^)]*)\) \| ([^|]*[^| ]) +\|.*/\1\t\2\t\3/p' "$topics_page"
}

every_topic_has_a_row() { diff <(seq "$topic_count") <(topics | cut -f 1 | grep -v –); }

# What stands under a heading, on one line.
text_under() {
    LC_ALL=C awk -v wanted="$2" '
        /^#+ / {
            match($0, /^#+/)
            level = RLENGTH
            anchor = tolower(substr($0, level + 2))
            gsub(/[^a-z0-9 _-]/, "", anchor)
            gsub(/ /, "-", anchor)
            if (inside && level <= top)
                inside = 0
            if (anchor == wanted) {
                inside = 1
                top = level
                next
            }
        }
        inside' "$1" | tr -s ' \n' ' '
}

every_topic_is_where_it_says() {
    local number place words missing=0
    while IFS=$'\t' read -r number place words; do
        grep -qF -- "$words" < <(text_under "${place%%#*}" "${place#*#}") ||
            { echo "$number: no \"$words\" in $place" && missing=1; }
    done < <(topics)
    [ $missing -eq 0 ]
}

# ---- commands and points -----------------------------------------------------------------------

# The commands of a page, from `make` on, one a line: in code, that is indented or between backquotes.
commands_of() {
    {
        grep '^    ' "$1" | grep -oE '^ +([A-Z_]+=[^ ]+ )*make .*' || true
        # shellcheck disable=SC2016 # backquotes of the page, not of the shell
        grep -v '^    ' "$1" | tr '\n' ' ' | grep -oE '`([A-Z_]+=[^ `]+ )*make [^`]*`' | tr -d '`' || true
    } | sed 's/^.*\bmake /make /; s/  .*//; s/ *#.*//'
}

goals() { sed -n 's/^\([a-z]*\):.*##.*/\1/p' Makefile; }

# Goals that the Makefile has; homeworks and tasks that there are.
commands_can_be_typed() {
    local command word homework task wrong=0
    while IFS= read -r command; do
        for word in ${command#make}; do
            [[ $word =~ ^[a-z]+$ ]] || continue
            goals | grep -qxF -- "$word" || { echo "$command: no goal $word" && wrong=1; }
        done
        [[ $command =~ HW=([1-8])\  ]] || continue
        homework=${BASH_REMATCH[1]}
        [[ $command =~ TASK=([0-9]+) ]] || continue
        task=hw$homework.${BASH_REMATCH[1]}
        grep -qF ".id = \"$task\"" "hw${homework}"_*/grader.c ||
            { echo "$command: there is no $task" && wrong=1; }
    done < <(commands_of "$1")
    [ $wrong -eq 0 ]
}

# "hw4.1 15, 6, 2" of each task, by its grader and by its README.
points_in_grader() {
    sed -n 's/.*\.id = "\(.*\)",/\1/p; s/.*\.points = {\(.*\)},/\1/p; s/.*\.star = true,/star/p' \
        "$1/grader.c" | paste -d ' ' - - | sort
}
points_in_readme() { sed -nE 's/^\| (hw[0-9.]+)( ☆)? \|.*\| ([0-9, ]+|star) \|$/\1 \3/p' "$1/README.md" | sort; }
points_agree() { diff <(points_in_grader "$1") <(points_in_readme "$1"); }

# ---- the code in grader/README.md --------------------------------------------------------------

# The indented code from its section on a ninth homework to that on cheats, without commands.
shown_code() {
    sed -n '/^## A ninth homework/,/^## An instruction/s/^    //p' grader/README.md |
        grep -vE '^(cp|make|grader/|[A-Z]+=)' | sed 's/^ *//' | grep .
}

shows_code_of_the_tree() {
    local line missing=0
    while IFS= read -r line; do
        grep -rqF -- "$line" grader/example grader/cheats hw1_vector_add ||
            { echo "$line" && missing=1; }
    done < <(shown_code)
    [ $missing -eq 0 ]
}

for page in $(pages); do
    check "the links of $page" has_no_dead_links "$page"
    check "the commands of $page" commands_can_be_typed "$page"
    check "the tests that $page names" named_tests_exist "$page"
done
check "the glossary is sorted" is_sorted
check "the glossary has words" test "$(rows | wc -l)" -ge 60
for homework in $(chosen_homeworks); do
    check "the points in the README of $homework" points_agree "$homework"
    check "the new words of $homework are in the glossary" every_new_word_is_explained "$homework"
done
check "every word of the glossary is taught where it says" every_word_is_taught
check "every topic has one row, in order" every_topic_has_a_row
check "and is explained where that says" every_topic_is_where_it_says
check "grader/README.md shows some code" test "$(shown_code | wc -l)" -gt 20
check "and it is in the tree" shows_code_of_the_tree

finish
