#!/usr/bin/env bash
# Draws what a device did when, a row for every stream and engine: timeline.sh FILE [PART]
#
# FILE was written by the virtual GPU under VGPU_TIMELINE=FILE (see grader/virtual_gpu/README.md).
# Marks divide it into parts: calls that were judged, and what lies between. PART counts those that
# have operations from 1; without it the one with the most is drawn. 80 columns; nothing to draw is an error (1).
#
# Each operation is drawn with one digit, which counts those of its row; what is shorter than a
# column is still drawn. The percentage says how much of the time shown the row was busy.
set -euo pipefail

file=${1:?which file?} part=${2:-0}
[ -s "$file" ] || {
    echo "timeline.sh: $file has no operations" >&2
    exit 1
}

# Cuts out the part: its operations, the earliest start first.
operations_of_part() {
    awk -F '\t' -v wanted="$part" '
        $1 == "mark" { if (filled) part++; filled = 0 }
        $1 == "operation" { if (!filled) { filled = 1; if (part == 0) part = 1 }
            line[++count] = $0; of[count] = part; in_part[part]++ }
        END { for (i = 1; wanted == 0 && i <= part; i++)
                if (in_part[i] > in_part[most]) most = i
            if (wanted == 0) wanted = most
            for (i = 1; i <= count; i++) if (of[i] == wanted) print line[i] }' "$file" |
        sort -t "$(printf '\t')" -k 5,5n -k 6,6n
}

operations=$(operations_of_part)
[ -n "$operations" ] || {
    echo "timeline.sh: $file has no part $part" >&2
    exit 1
}

awk -F '\t' '
function stream_name(s) { return s == "0" ? "default" : s == "t" ? "thread" : "stream " s }
function time(ns) {
    return ns < 10000 ? sprintf("%d ns", ns) : ns < 1e7 ? sprintf("%.1f us", ns / 1e3) \
        : sprintf("%.2f ms", ns / 1e6)
}
function spaces(n,   text) { text = sprintf("%" n "s", ""); return text }
BEGIN { WIDTH = 52 }
{
    start[NR] = $5; end[NR] = $6
    devices[$2] = 1
    row = $2 SUBSEP $3 SUBSEP $4
    if (!(row in known)) { known[row] = 1; rows[++row_count] = row }
    of[NR] = row
    busy[row] += $6 - $5
    if (NR == 1 || $5 < first) first = $5
    if ($6 > last) last = $6
}
END {
    span = last - first; if (span <= 0) span = 1
    for (d in devices) device_count++
    for (r = 1; r <= row_count; r++) bar[rows[r]] = spaces(WIDTH)
    for (i = 1; i <= NR; i++) {
        from = int((start[i] - first) / span * WIDTH)
        to = int((end[i] - first) / span * WIDTH)
        if (from >= WIDTH) from = WIDTH - 1
        if (to > WIDTH) to = WIDTH
        if (to <= from) to = from + 1
        text = bar[of[i]]; digit = drawn[of[i]]++ % 10; piece = ""
        for (k = from; k < to; k++) piece = piece digit
        bar[of[i]] = substr(text, 1, from) piece substr(text, to + 1)
    }
    # Streams in order, and in each what comes in before what goes out.
    split("host in kernel fill copy out", order, " ")
    for (k = 1; k in order; k++) rank[order[k]] = k
    for (r = 1; r <= row_count; r++) {
        split(rows[r], is, SUBSEP)
        key[r] = sprintf("%02d %08d %d", is[1], is[2] == "t" ? 0 : is[2], rank[is[3]])
    }
    for (a = 1; a <= row_count; a++)
        for (b = a + 1; b <= row_count; b++)
            if (key[b] < key[a]) {
                t = key[a]; key[a] = key[b]; key[b] = t
                t = rows[a]; rows[a] = rows[b]; rows[b] = t
            }
    label_width = 80 - WIDTH - 8
    printf "%s0%" (WIDTH - 1) "s\n", spaces(label_width), time(span)
    for (r = 1; r <= row_count; r++) {
        split(rows[r], is, SUBSEP)
        label = stream_name(is[2]) " " is[3]
        if (device_count > 1) label = "gpu " is[1] " " label
        printf "%-" (label_width - 1) "s|%s|%4d%%\n", substr(label, 1, label_width - 1), \
            bar[rows[r]], int(100 * busy[rows[r]] / span + 0.5)
    }
}' <<< "$operations"
