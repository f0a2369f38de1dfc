#!/usr/bin/env bash
# Of what files a candidate may be made in a class, and by what ways it may not get at others.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh

homework=hw1_vector_add
scratch=$(mktemp -d)
scratch=$(realpath "$scratch")
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch"/{ana/parts,ben,shared}
mine=$scratch/ana/mine.cu object=$scratch/object.so

# compile SOURCE [--class=…]: leaves what the student would read.
compile() {
    grader/tools/compile.sh "$1" "$object" "$homework" ${2:+"$2"} > /dev/null 2>&1
    said=$(head -n 1 "${object%.so}.log")
}

# accepted SOURCE [--class=…]
accepted() {
    compile "$@"
    [ -e "$object" ] || { echo "$said" && return 1; }
}

# refused TEXT SOURCE [--class=…]
refused() {
    local text=$1
    shift
    compile "$@"
    [ ! -e "$object" ] || { echo "it compiles" && return 1; }
    [[ $said == *"$text"* ]] || { echo "$said" && return 1; }
}

# tries NAME TEXT LINE…: a source of these lines, in a class, is refused, and TEXT is said.
tries() {
    local name=$1 text=$2
    shift 2
    printf '%s\n' "$@" 'int mine;' > "$mine"
    check "$name" refused "$text" "$mine" --class=own
}

others="it includes a file that is not its own: "
echo 'int others;' > "$scratch/ben/ben.cu"
cp "$scratch/ben/ben.cu" "$scratch/shared/ben.cu"
echo 'int helped;' > "$scratch/ana/helper.h"
echo 'int again;' > "$scratch/ana/parts/again.cu"
ln -s ../ben "$scratch/ana/folder"
ln -s ../ben/ben.cu "$scratch/ana/file.h"

# ---- what is right -------------------------------------------------------------------------------

cat > "$mine" <<'CU'
#include "cuda_try.h"
#include <cooperative_groups.h>
#include <vector>
#include "helper.h"
#include "parts/again.cu"
#include "parts/../helper2.h"
#line 7 "made/by/a_tool.in"
#pragma unroll
_Pragma("once")
#if __has_include("../ben/ben.cu")
int there;
#endif
CU
echo "#include \"$PWD/$homework/vector_add.h\"" > "$scratch/ana/helper2.h"
check "a file's own folder, the contract, toolkit and system" accepted "$mine" --class=own
printf '#include "helper.h"\n' > "$scratch/ana/strange, name.cu"
check "a file that is compiled as a copy" accepted "$scratch/ana/strange, name.cu" --class=own
echo 'int helped;' > "$scratch/shared/helper.h"
printf '#include "helper.h"\n' > "$scratch/shared/ana.cu"
check "a header in a folder of several" accepted "$scratch/shared/ana.cu" --class=shared
printf '#include "../ben/ben.cu"\n' > "$mine"
check "a file alone may include what it likes" accepted "$mine"

# ---- what is not ---------------------------------------------------------------------------------

tries "the folder beside" "$others$scratch/ana/../ben/ben.cu" '#include "../ben/ben.cu"'
tries "an absolute path" "$others$scratch/ben/ben.cu" "#include \"$scratch/ben/ben.cu\""
tries "a folder that is a link" "$others$scratch/ana/folder/ben.cu" '#include "folder/ben.cu"'
tries "a file that is a link" "$others$scratch/ana/file.h" '#include "file.h"'
tries "a path through the system's folders" "$others" "#include \"/usr/include/../..$scratch/ben/ben.cu\""
tries "a path through a process" "$others/proc/self" "#include \"/proc/self/root$scratch/ben/ben.cu\""
tries "only for the device" "$others" '#ifdef __CUDA_ARCH__' '#include "../ben/ben.cu"' '#endif'
tries "only for the host" "$others" '#ifndef __CUDA_ARCH__' '#include "../ben/ben.cu"' '#endif'
tries "only if it is there" "$others" \
    '#if __has_include("../ben/ben.cu")' '#include "../ben/ben.cu"' '#endif'
tries "a name from a macro" "$others" '#define NAME "../ben/ben.cu"' '#include NAME'
tries "import" "$others" '#import "../ben/ben.cu"'
tries "behind another name" "$others$scratch/ben/ben.cu" \
    "#include \"$scratch/ben/ben.cu\"" '#line 1 "helper.h"'

directive="a macro makes a directive here, which hides what it does: "
tries "a directive from a macro" "$directive# include" \
    '#define SIGN #' "SIGN include \"$scratch/ben/ben.cu\""
tries "by its other spelling" "$directive%: include" \
    '#define SIGN %:' "SIGN include \"$scratch/ben/ben.cu\""
tries "in two halves" "$directive# include" \
    '#define SIGN #' '#define NOTHING' 'SIGN inc\NOTHING' "lude \"$scratch/ben/ben.cu\""
tries "with its sign in two halves" "$directive%:include" \
    '#define NOTHING' '%\NOTHING' ":include \"$scratch/ben/ben.cu\""
printf '#define SIGN #\nSIGN include "%s"\n' "$scratch/ben/ben.cu" > "$mine"
check "of a file alone, too" refused "$directive" "$mine"

printf '#include "ben.cu"\n' > "$scratch/shared/ana.cu"
check "another student's source in the same folder" \
    refused "$others$scratch/shared/ben.cu" "$scratch/shared/ana.cu" --class=shared
printf '#include "file.h"\n' > "$scratch/ana/strange, name.cu"
check "a link beside a file that is compiled as a copy" \
    refused "file.h: No such file" "$scratch/ana/strange, name.cu" --class=own

finish
