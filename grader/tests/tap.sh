# Sourced by the tests in shell: one line a check, and the sum at the end.
# shellcheck shell=bash
passed=0 failed=0 skipped=0

ok() {
    passed=$((passed + 1))
    echo "ok - $1"
}

# not_ok NAME [WHY…]
not_ok() {
    failed=$((failed + 1))
    echo "not ok - $1"
    shift
    [ $# -eq 0 ] || printf '#   %s\n' "$@"
}

# skip NAME REASON: not run is never passed.
skip() {
    skipped=$((skipped + 1))
    echo "skip - $1 # $2"
}

# check NAME COMMAND…: ok if the command succeeds; its output is shown if it does not.
check() {
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then
        ok "$name"
    else
        not_ok "$name" "${output:-no output}"
    fi
}

finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}
