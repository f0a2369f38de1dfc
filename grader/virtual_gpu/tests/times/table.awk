# Joins what an H200 did, what the model says, the gates of the lessons, and which kernels are alike:
#
#     awk -v mode=MODE -f table.awk h200.tsv MODELLED gates.tsv alike.tsv
#
# mode=table prints markdown, mode=test "ok" or "not ok", a tab, and what was checked.
BEGIN {
    FS = "\t"
}

/^#/ {
    next
}

{
    key = $1 "|" $2
}

FILENAME == ARGV[ARGC - 4] {
    rows[++row_count] = key
    group[key] = $1
    name[key] = $2
    bytes["h200", key] = $3
    ns["h200", key] = $4
    next
}

FILENAME == ARGV[ARGC - 3] {
    bytes["model", key] = $3
    ns["model", key] = $4
    next
}

FILENAME == ARGV[ARGC - 1] {
    unlike[++alike_count] = key
    like_name[key] = $3
    like_ns[key] = ns["h200", $3] / $4
    factor[key] = $5
    group[key] = $1
    name[key] = $2
    next
}

{
    limit[key] = $3
    gate[key] = $4
}

# Of the limit's bytes a second.
function share(source, key,    of) {
    of = limit[key]
    return bytes[source, key] / ns[source, key] / (bytes[source, of] / ns[source, of])
}

function same_side(key) {
    return (share("h200", key) >= gate[key]) == (share("model", key) >= gate[key])
}

function print_table(    k, key) {
    print "| group | kernel | H200, µs | modelled, µs | share on the H200 | modelled | gate | same side |"
    print "|---|---|---|---|---|---|---|---|"
    for (k = 1; k <= row_count; k++) {
        key = rows[k]
        printf "| %s | %s | %.1f | %.1f |", group[key], name[key], ns["h200", key] / 1000,
            ns["model", key] / 1000
        if (key in gate)
            printf " %.2f | %.2f | %.2f | %s |\n", share("h200", key), share("model", key),
                gate[key], same_side(key) ? "yes" : "no"
        else
            print " | | | |"
    }
}

function like_text(key) {
    return group[key] ", " name[key]
}

function print_alike(    k, key) {
    print "\nWork that lies unevenly on blocks or warps (times/alike.tsv), and an H200 with only the threads\n" \
        "that work:\n"
    print "| kernel | modelled, µs | H200, µs | which did |\n|---|---|---|---|"
    for (k = 1; k <= alike_count; k++) {
        key = unlike[k]
        printf "| %s, %s | %.1f | %.1f | %s |\n", group[key], name[key], ns["model", key] / 1000,
            like_ns[key] / 1000, like_text(like_name[key])
    }
}

# Threads that do nothing make no kernel faster.
function check_alike(    k, key, ratio) {
    for (k = 1; k <= alike_count; k++) {
        key = unlike[k]
        ratio = ns["model", key] / like_ns[key]
        check(ratio < factor[key] && ratio * factor[key] > 1,
            sprintf("%s: %.2f of the time of %s on an H200", key, ratio, like_name[key]))
    }
    check(alike_count > 0, "kernels with idle blocks or warps: " alike_count)
}

function check(good, text) {
    print (good ? "ok" : "not ok") "\t" text
}

function ratio_text(source, a, b) {
    return sprintf("%.2f", ns[source, a] / ns[source, b])
}

# Which of two kernels of a group is the slower one, where an H200 leaves no doubt.
function check_order(    i, j, a, b, pairs, wrong) {
    for (i = 1; i <= row_count; i++)
        for (j = 1; j <= row_count; j++) {
            a = rows[i]
            b = rows[j]
            if (group[a] != group[b] || ns["h200", a] <= 1.25 * ns["h200", b])
                continue
            pairs++
            if (ns["model", a] > ns["model", b])
                continue
            wrong++
            check(0, a " is slower than " b ": " ratio_text("h200", a, b) " on an H200, modelled " \
                ratio_text("model", a, b))
        }
    check(pairs > 300, "pairs of kernels that an H200 orders: " pairs)
    if (wrong == 0)
        check(1, "the model orders them alike")
}

END {
    if (mode == "table") {
        print_table()
        print_alike()
        exit
    }
    for (k = 1; k <= row_count; k++)
        if (!(("model", rows[k]) in ns))
            check(0, rows[k] " was not run on the virtual GPU")
    for (k = 1; k <= row_count; k++)
        if (rows[k] in gate) {
            gates++
            check(same_side(rows[k]), sprintf("%s: %.2f of %s on an H200, modelled %.2f, gate %.2f",
                rows[k], share("h200", rows[k]), limit[rows[k]], share("model", rows[k]),
                gate[rows[k]]))
        }
    check(gates > 30, "kernels with a gate: " gates)
    check_order()
    check_alike()
}
