#!/usr/bin/env bash
# toolchain.sh on made-up machines: where it looks, in which order, what it refuses and how.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh
# shellcheck source=grader/tests/made_up_machine.sh
. grader/tests/made_up_machine.sh

cuda_13='75 80 86 87 88 89 90 100 103 110 120 121'
cuda_11='35 37 50 52 53 60 61 62 70 72 75 80 86 87 89 90'
ptx_80='-gencode arch=compute_80,code=compute_80 -gencode arch=compute_80,code=sm_80'

with_cuda_13() {
    new_machine
    # shellcheck disable=SC2086  # a list
    make_toolkit "$machine/cuda" 13.0 15 $cuda_13
}

with_cuda_11() {
    new_machine
    # shellcheck disable=SC2086
    make_toolkit "$machine/cuda" 11.8 11 $cuda_11
}

here="CUDA_HOME=$machine/cuda"

# --- everything there ---

with_cuda_13
run toolchain.sh "$here"
check "a whole machine: exit 0 without a word on stderr" is "$outcome$err" 0
check "every key is assigned once, in order" is "$(sed 's/=.*//' "$machine/out" | tr '\n' ' ')" \
    "NVCC NVCC_VERSION CUDA_INCLUDE CUDA_LIB HOST_CC CCBIN CRITERION_CFLAGS CRITERION_LIBS \
GPU_ARCH PTX_ARCH GENCODE "
check "NVCC is the one of CUDA_HOME" is "$(value NVCC)" "$machine/cuda/bin/nvcc"
check "its release" is "$(value NVCC_VERSION)" 13.0
check "its headers" is "$(value CUDA_INCLUDE)" "$machine/cuda/include"
check "its runtime" is "$(value CUDA_LIB)" "$machine/cuda/lib64"
check "the C compiler" is "$(value HOST_CC)" gcc
check "no host compiler is chosen where nvcc's own is right" is "$(value CCBIN)" ''
check "Criterion through pkg-config" is "$(value CRITERION_CFLAGS)" -DFROM_PKG_CONFIG
check "without a GPU: PTX and sm_80" is "$(value GENCODE)" "$ptx_80 -no-compress"
check "without a GPU: no GPU_ARCH" is "$(value GPU_ARCH)" ''
check "a plain sh can read it" is \
    "$(sh -c '. "$1" && printf "%s" "$PTX_ARCH $GENCODE"' sh "$machine/out")" \
    "80 $ptx_80 -no-compress"

run toolchain.sh "$here" "TMPDIR=$machine/missing"
check "without a folder for files on the way nothing is looked for" is "$outcome" 77
check "and that folder is named" \
    holds "$err" "$machine/missing, where compilers.*set TMPDIR to one\\."

# --- which nvcc ---

with_cuda_13
make_toolkit "$machine/other's cuda" 12.4 13 75 80 90
make_toolkit "$machine/opt/cuda-12.9" 12.9 14 75 80 90
make_toolkit "$machine/opt/cuda-12.10" 12.10 14 75 80 90
make_toolkit "$machine/opt/cuda-11.8" 11.8 11 75 80 90
folders="TOOLKIT_FOLDERS=$machine/opt/cuda $machine/opt/cuda-*"
ln -s "$machine/cuda/bin/nvcc" "$machine/bin/nvcc"
run toolchain.sh "NVCC=$machine/other's cuda/bin/nvcc" "$here"
check "NVCC comes before CUDA_HOME, with a blank and a quote in its path" \
    is "$(value NVCC)" "$machine/other's cuda/bin/nvcc"
check "and its own headers go with it" is "$(value CUDA_INCLUDE)" "$machine/other's cuda/include"
run toolchain.sh "CUDA_HOME=$machine/other's cuda" "CUDA_PATH=$machine/cuda"
check "CUDA_HOME comes before CUDA_PATH" is "$(value NVCC_VERSION)" 12.4
run toolchain.sh "CUDA_PATH=$machine/other's cuda"
check "CUDA_PATH comes before PATH" is "$(value NVCC_VERSION)" 12.4
run toolchain.sh "$folders"
check "PATH comes before the usual folders" is "$(value NVCC)" "$machine/bin/nvcc"
check "a link on PATH leads to the toolkit's headers" \
    is "$(value CUDA_INCLUDE)" "$machine/cuda/include"
run toolchain.sh "CUDA_HOME=$machine/gone"
check "a CUDA_HOME that is gone is passed over" is "$(value NVCC)" "$machine/bin/nvcc"
rm "$machine/bin/nvcc"
run toolchain.sh "$folders"
check "of the usual folders, the newest release" is "$(value NVCC_VERSION)" 12.10
make_toolkit "$machine/opt/cuda" 12.1 12 75 80 90
run toolchain.sh "$folders"
check "but the folder without a release in its name first" is "$(value NVCC_VERSION)" 12.1

new_machine
run toolchain.sh
check "no nvcc: one sentence that names make setup" refused 'No nvcc .*make setup'
run toolchain.sh "NVCC=$machine/gone/nvcc"
check "an NVCC that is gone is named" refused "^NVCC=$machine/gone/nvcc is not"
make_toolkit "$machine/cuda" 11.5 11 75 80
run toolchain.sh "$here"
check "nvcc older than 11.8 is refused" refused 'is release 11\.5, .* 11\.8 or newer.*make setup'
make_toolkit "$machine/opt/cuda-12.4" 12.4 13 75 80 90
ln -s "$machine/cuda/bin/nvcc" "$machine/bin/nvcc"
run toolchain.sh "TOOLKIT_FOLDERS=$machine/opt/cuda-*"
check "an old one on PATH gives way to a newer one elsewhere" is "$(value NVCC_VERSION)" 12.4
fake "$machine/cuda/bin/nvcc" <<< 'exit 127'
run toolchain.sh "$here" "TOOLKIT_FOLDERS=$machine/opt/cuda-*"
check "an nvcc that does not run is passed over" is "$(value NVCC_VERSION)" 12.4

with_cuda_13
rm "$machine/cuda/include/cuda_runtime.h"
run toolchain.sh "$here"
check "a toolkit without headers is incomplete" refused 'no cuda_runtime.h beside it'
with_cuda_13
rm "$machine/cuda/lib64/libcudart.so"
run toolchain.sh "$here"
check "a toolkit without a runtime is incomplete" refused 'no libcudart.so beside it'
with_cuda_13
mkdir -p "$machine/far away/include" "$machine/far away/lib"
mv "$machine/cuda/include"/* "$machine/far away/include/"
mv "$machine/cuda/lib64"/* "$machine/far away/lib/"
fake "$machine/cuda/bin/nvcc" << END
case \$1 in
--version) echo 'Cuda compilation tools, release 12.4, V12.4.1' ;;
--list-gpu-arch) echo compute_80 ;;
--dryrun) printf '#\$ INCLUDES="-I%s"  \n#\$ LIBRARIES=  "-L%s/stubs" "-L%s"\n' \
    "$machine/far away/include" "$machine/far away/lib" "$machine/far away/lib" >&2 ;;
esac
END
run toolchain.sh "$here"
check "a layout of its own: the headers that nvcc names" \
    is "$(value CUDA_INCLUDE)" "$machine/far away/include"
check "a layout of its own: the libraries that nvcc names" \
    is "$(value CUDA_LIB)" "$machine/far away/lib"

# --- which host compiler ---

with_cuda_11
make_gxx g++-11 11
make_gxx g++-9 9
run toolchain.sh "$here"
check "g++ 12 is too new for 11.8: the newest that it accepts" \
    is "$(value CCBIN)" "-ccbin $machine/bin/g++-11"
rm "$machine/bin/g++-11"
run toolchain.sh "$here"
check "or an older one" is "$(value CCBIN)" "-ccbin $machine/bin/g++-9"
rm "$machine/bin/g++-9"
run toolchain.sh "$here"
check "none: refused with both versions" refused 'up to 11, and this machine has 12: .*make setup'
sed -i 's/-E) exit 1/-E) exit 0/' "$machine/cuda/bin/nvcc"
run toolchain.sh "$here"
check "unless nvcc is set up for another compiler, and compiles" is "$outcome$(value CCBIN)" 0
make_gxx my-g++ 10
run toolchain.sh "$here" NVCC_CCBIN=my-g++
check "NVCC_CCBIN decides" is "$(value CCBIN)" "-ccbin $machine/bin/my-g++"
run toolchain.sh "$here" CUDAHOSTCXX=my-g++
check "and so does CUDAHOSTCXX" is "$(value CCBIN)" "-ccbin $machine/bin/my-g++"
run toolchain.sh "$here" NVCC_CCBIN=g++-99
check "an NVCC_CCBIN that is not there is named" refused 'g\+\+-99.* does not exist'

with_cuda_13
rm "$machine/bin/g++"
run toolchain.sh "$here"
check "no g++: refused" refused 'nvcc needs g\+\+.*make setup'
with_cuda_13
rm "$machine/bin/gcc"
run toolchain.sh "$here"
check "no C compiler: refused" refused 'No C compiler .*make setup'
run toolchain.sh "$here" CC=bash
check "CC decides" is "$(value HOST_CC)" bash

# --- which Criterion ---

# criterion_in FOLDER: its header, and a library beside it for ldd to report.
criterion_in() {
    mkdir -p "$1/include/criterion" "$1/lib"
    touch "$1/include/criterion/criterion.h" "$1/lib/libcriterion.so"
    fake "$machine/bin/ldd" << END
printf '\tlibc.so.6 => /lib/libc.so.6 (0x1)\n\tlibnanomsg.so.5 => %s (0x2)\n' \
    "\$LD_LIBRARY_PATH/libnanomsg.so.5"
END
}

with_cuda_13
criterion_in "$machine/prefix"
run toolchain.sh "$here" "CRITERION=$machine/prefix"
check "CRITERION comes before pkg-config" \
    is "$(value CRITERION_CFLAGS)" "-pthread -isystem $machine/prefix/include"
check "with a run path" holds "$(value CRITERION_LIBS)" "-Wl,-rpath,$machine/prefix/lib "
check "and the libraries beside it" holds "$(value CRITERION_LIBS)" '-l:libnanomsg\.so\.5'
check "but not those of the system" lacks "$(value CRITERION_LIBS)" 'libc\.so'
run toolchain.sh "$here" "CRITERION=$machine/gone"
check "a CRITERION without Criterion is named" refused "^CRITERION=$machine/gone has no"
fake "$machine/bin/ldd" <<< 'printf "\tlibgit2.so.1.5 => not found\n"'
run toolchain.sh "$here" "CRITERION=$machine/prefix"
check "a Criterion that lacks a library says which" refused 'lacks libgit2\.so\.1\.5'

criterion_in "$machine/pre fix"
run toolchain.sh "$here" "CRITERION=$machine/pre fix"
check "a prefix with a blank is reached by a link" \
    is "$(value CRITERION_CFLAGS)" "-pthread -isystem build/links/criterion-include"
check "that leads there" is "$(readlink "$tree/build/links/criterion-lib")" "$machine/pre fix/lib"
# shellcheck disable=SC2016  # the loader expands $ORIGIN
check "and the run path is relative to the program" \
    holds "$(value CRITERION_LIBS)" '-Wl,-rpath,\$ORIGIN/\.\./links/criterion-lib '

with_cuda_13
rm "$machine/bin/pkg-config"
run toolchain.sh "$here"
check "no Criterion: refused" refused 'Criterion was not found: .*make setup'
criterion_in "$tree/build/deps/usr"
run toolchain.sh "$here"
check "what make setup unpacked in a tree with a blank" \
    is "$(value CRITERION_CFLAGS)" "-pthread -isystem build/deps/usr/include"
rm -r "$tree/build"
mkdir "$machine/lib"
touch "$machine/lib/libcriterion.so"
fake "$machine/bin/gcc" << END
case "\$*" in
-print-file-name=libcriterion.so) echo "$machine/lib/libcriterion.so" ;;
*' -') cat > /dev/null ;;
esac
END
run toolchain.sh "$here"
check "what the compiler itself finds" \
    is "$(value CRITERION_LIBS)" "-lcriterion -Wl,-rpath,$machine/lib"

# --- which architectures ---

with_cuda_13
make_gpus 9.0
run toolchain.sh "$here"
check "the GPU's own machine code" is "$(value GENCODE)" \
    "$ptx_80 -gencode arch=compute_90,code=sm_90 -no-compress"
check "GPU_ARCH" is "$(value GPU_ARCH)" 90
check "nvidia-smi is called once" is "$(wc -l < "$machine/smi_calls")" 1
make_gpus 8.0
run toolchain.sh "$here"
check "an 8.0 GPU is not named twice" is "$(value GENCODE)" "$ptx_80 -no-compress"
check "and is GPU_ARCH" is "$(value GPU_ARCH)" 80
make_gpus 7.5
run toolchain.sh "$here"
check "a 7.5 GPU gets PTX of its own" is "$(value PTX_ARCH)" 75
check "and its machine code" holds "$(value GENCODE)" \
    '^-gencode arch=compute_75,code=compute_75 .*arch=compute_75,code=sm_75'
make_gpus 12.0 9.0 9.0
run toolchain.sh "$here"
check "two kinds of GPU, each once" is "$(value GENCODE)" "$ptx_80 \
-gencode arch=compute_120,code=sm_120 -gencode arch=compute_90,code=sm_90 -no-compress"
make_gpus 15.2
run toolchain.sh "$here"
check "a GPU newer than the toolkit gets PTX alone" is "$(value GENCODE)" "$ptx_80 -no-compress"
check "and no GPU_ARCH" is "$outcome$(value GPU_ARCH)" 0
make_gpus 6.1
run toolchain.sh "$here"
check "a GPU too old for the toolkit is refused" \
    refused 'capability 6\.1, and CUDA 13\.0 needs 7\.5 or newer.*CUDA_HOME'
run toolchain.sh "$here" DEVICE=virtual
check "but not when it is not to be used" is "$outcome$(value GPU_ARCH)" 0
make_gpus 9.0
run toolchain.sh "$here" DEVICE=virtual
check "DEVICE=virtual builds for the GPU as well: to change it rebuilds nothing" is \
    "$outcome$(value GPU_ARCH)" 090
make_gpus 6.1 9.0
run toolchain.sh "$here"
check "nor when another GPU will do" is "$(value GPU_ARCH)" 90
fake "$machine/bin/nvidia-smi" <<< 'echo "NVIDIA-SMI has failed" && exit 9'
run toolchain.sh "$here"
check "an nvidia-smi that fails is no GPU" is "$outcome$(value GPU_ARCH)" 0

make_gpus 9.0
rm -f "$machine/smi_calls"
run toolchain.sh "$here" ARCH=sm_86,12.0
check "ARCH decides, in any spelling" is "$(value GENCODE)" "$ptx_80 \
-gencode arch=compute_86,code=sm_86 -gencode arch=compute_120,code=sm_120 -no-compress"
check "without asking for the GPU" is "$(ls "$machine"/smi_calls 2> /dev/null || echo none)" none
run toolchain.sh "$here" ARCH=native
check "ARCH=native is the GPU here" is "$(value GPU_ARCH)" 90
run toolchain.sh "$here" ARCH=90,35
check "an ARCH that the toolkit does not know" \
    refused '^ARCH=90,35: CUDA 13\.0 does not know 35; it knows 75 80'
run toolchain.sh "$here" ARCH=fast
check "an ARCH that is none" refused '^ARCH=fast: CUDA 13\.0 does not know fast'
run toolchain.sh "$here" PTX_ARCH=75
check "PTX_ARCH decides" holds "$(value GENCODE)" '^-gencode arch=compute_75,code=compute_75 '
run toolchain.sh "$here" PTX_ARCH=70
check "a PTX_ARCH that the toolkit does not know" refused '^PTX_ARCH=70: '

with_cuda_11
make_gxx g++ 11
make_gpus 9.0
run toolchain.sh "$here"
check "11.8 leaves sm_90 to the driver" is "$(value GENCODE)" "$ptx_80 -no-compress"
make_gpus 7.0
run toolchain.sh "$here"
check "and takes a 7.0 GPU" is "$(value PTX_ARCH)$(value GPU_ARCH)" 7070

# --- the real thing ---

# Words for a Criterion in a folder with a blank must link and run there, with its neighbours.
links_and_runs() {
    local library folder="$machine/real prefix" program="$tree/build/hw0/grader"
    library=$(readlink -f "$(gcc -print-file-name=libcriterion.so)")
    mkdir -p "$folder/lib" "$tree/build/hw0"
    cp -r "$1" "$folder/include"
    ldd "$library" | awk '/libnanomsg|libgit2/ { print $3 }' | xargs -I{} cp -L {} "$folder/lib/"
    cp "$library" "$folder/lib/libcriterion.so"
    ln -s libcriterion.so "$folder/lib/libcriterion.so.3"
    (
        cd "$tree"
        eval "$(CRITERION=$folder PATH=$2 CUDA_HOME=$machine/cuda grader/tools/toolchain.sh)"
        printf '#include <criterion/criterion.h>\nTest(a, b)\n{\n}\n' > build/hw0/t.c
        # shellcheck disable=SC2086  # words
        $HOST_CC -Wall -Wextra -Werror $CRITERION_CFLAGS -o "$program" build/hw0/t.c $CRITERION_LIBS
        cd / && "$program" && ldd "$program" | grep "libnanomsg.* => .*/links/criterion-lib/"
    )
}

with_cuda_13
header=$(printf '#include <criterion/criterion.h>\n' | gcc -E -x c - 2> /dev/null |
    sed -n 's/^# 1 "\(.*\)\/criterion\/criterion\.h".*/\1/p' | head -n 1)
if [ -n "$header" ] && [ -e "$(gcc -print-file-name=libcriterion.so)" ]; then
    mkdir "$machine/headers"
    cp -r "$header/criterion" "$machine/headers/"
    check "a real Criterion in a folder with a blank links and runs" \
        links_and_runs "$machine/headers" "$PATH"
else
    skip "a real Criterion in a folder with a blank links and runs" "Criterion is not installed"
fi

finish
