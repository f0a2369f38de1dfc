#!/usr/bin/env bash
# doctor.sh on made-up machines: what it calls an obstacle, what a remark, and which fix it names.
# shellcheck disable=SC2016  # what stands in quotes is for the made-up programs to expand
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh
# shellcheck source=grader/tests/made_up_machine.sh
. grader/tests/made_up_machine.sh

h200='gpu=0\tname=NVIDIA H200\tcapability=90\tmemory_mib=143771\tl2_kib=61440\t'
h200+='cooperative=1\tconcurrent_managed=1\n'
works='free_mib=142000\nkernel=ok\n'

# A machine with CUDA 13.0, on which programs that nvcc compiles print $machine/facts.
patient() {
    new_machine
    mkdir -p "$machine/proc/driver/nvidia" "$machine/sys/bus/pci/devices/0"
    printf 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n' > "$machine/etc/os-release"
    printf 'Linux version 6.1\n' > "$machine/proc/version"
    printf '0x8086\n' > "$machine/sys/bus/pci/devices/0/vendor"
    printf '0x030000\n' > "$machine/sys/bus/pci/devices/0/class"
    make_toolkit "$machine/cuda" 13.0 15 75 80 90
    fake "$machine/test_program" <<< "cat \"$machine/facts\""
    # Criterion's test says its version; the C compiler and nvcc put programs where -o says.
    fake "$machine/criterion_test" <<< 'echo "Tests compiled with Criterion v2.4.1" >&2'
    fake "$machine/bin/gcc" << END
program=$machine/test_program
[[ "\$*" != *' - '* ]] || { cat > /dev/null && program=$machine/criterion_test; }
while [ \$# -gt 1 ]; do
    [ "\$1" != -o ] || cp "\$program" "\$2"
    shift
done
END
    sed -i "s|^-E) exit 1.*|-x \| -ccbin \| -gencode) exec $machine/bin/gcc \"\$@\" ;;|" \
        "$machine/cuda/bin/nvcc"
    facts 'driver=0\ndevices=0\nerror=cudaErrorInsufficientDriver\n'
}

# facts LINES: what the CUDA runtime of this machine says.
facts() {
    printf 'runtime=13000\n%b' "$1" > "$machine/facts"
}

# with_gpu: an H200 and its driver.
with_gpu() {
    patient
    make_gpus 9.0
    printf 'NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build\n' \
        > "$machine/proc/driver/nvidia/version"
    facts "driver=13000\ndevices=1\n$h200$works"
}

examine() {
    run doctor.sh "DOCTOR_ROOT=$machine" "CUDA_HOME=$machine/cuda" "$@"
}

# finds STATUS SUBJECT PATTERN: one finding of that status and subject; its paragraphs, joined,
# match.
finds() {
    local text
    text=$(awk -v want="$1" -v subject="$2" '
        /^[a-z]+ / { inside = $1 == want && index(substr($0, 7), subject " ") == 1 }
        /^$/ { inside = 0 }
        inside { sub(/^ */, ""); printf "%s ", $0 }' "$machine/out")
    holds "$text" "$3"
}

fits_80_columns() {
    ! grep -nE '.{81}' "$machine/out"
}

# --- no GPU ---

patient
examine
check "a machine without a GPU is usable" is "$outcome$err" 0
check "nvcc" finds ok nvcc "CUDA 13\.0, $machine/cuda/bin/nvcc"
check "the host compiler" finds ok 'host compiler' 'g\+\+ 12 .*up to 15'
check "Criterion, by a test that ran" finds ok Criterion '2\.4\.1, through pkg-config'
check "no GPU is a remark, with what works without" \
    finds note GPU 'none is visible, and no driver.*everything compiles.*CANNOT GRADE'
check "the runtime's misleading words do not occur" lacks "$out" '[Ii]nsufficient'
check "the end says what is possible" holds "$out" 'grading waits for a GPU'
check "80 columns" fits_80_columns
check "no colour in a file" lacks "$out" $'\e'
echo 'virtual: build/virtual_gpu/libcudart.so' > "$tree/Makefile"
examine
check "with the virtual GPU, that is what grades" finds note GPU 'graded on the virtual GPU'
examine CUDA_VISIBLE_DEVICES=
check "a variable that hides the GPU is named" finds note GPU 'unset CUDA_VISIBLE_DEVICES'

patient
printf '0x10de\n' > "$machine/sys/bus/pci/devices/0/vendor"
examine
check "hardware without a driver" finds fix GPU 'in this machine, but no driver.*Fix: install'
patient
fake "$machine/bin/sbatch" <<< 'exit 0'
examine
check "the login node of a cluster" finds note GPU "login node.*RUN='srun -n1 -G1'.*ARCH=90"
patient
touch "$machine/.dockerenv"
examine
check "a container" finds note GPU 'in this container.*--gpus all'
patient
printf 'Linux version 5.15-microsoft-standard-WSL2\n' > "$machine/proc/version"
examine
check "WSL: what that means for hw5 and hw7" \
    finds note system 'WSL.*install none here.*hw5: .*no points are lost.*hw7: .*Control Panel'
check "WSL without a GPU" finds note GPU 'driver on Windows'
with_gpu
facts 'driver=13000\ndevices=0\nerror=cudaErrorNoDevice\n'
examine
check "a driver that shows no GPU" finds fix GPU 'driver 580\.65\.06 is loaded.*restart'

# --- a GPU ---

with_gpu
examine
check "an H200 is usable" is "$outcome$err" 0
check "driver and toolkit match" finds ok driver '580\.65\.06, for CUDA up to 13\.0: matches'
check "the GPU" finds ok GPU 'NVIDIA H200, compute capability 9\.0'
check "its memory, and what speed tasks want" finds ok memory '142000 MiB of 143771 .*want 1024'
check "its architectures" finds ok architectures 'PTX for 80, machine code for 80 90'
check "a kernel ran" finds ok kernel 'runs on the GPU'
check "managed memory" finds ok 'managed memory' 'hw5 runs in full'
check "cooperative launch" finds ok cooperative 'hw8\.4 to hw8\.6'
check "the number of GPUs" finds ok 'GPUs in all' '^ok +GPUs in all +1: hw6\.5'
check "the end names the first command" holds "$out" 'can be used here: make grade HW=1'
check "80 columns with a GPU" fits_80_columns
facts "driver=13000\ndevices=2\n$h200${h200/gpu=0/gpu=1}$works"
examine
check "two GPUs" finds ok 'GPUs in all' '2: hw6\.5 uses all'
facts "driver=13000\ndevices=1\n${h200/61440/131072}free_mib=1500\nkernel=ok\n"
examine
check "memory that others hold, against four times the L2" \
    finds note memory '1500 MiB .*want 2048 MiB.*INCONCLUSIVE.*nvidia-smi'
facts "driver=13000\ndevices=1\n${h200}memory_error=cudaErrorMemoryAllocation\n"
examine
check "no memory at all" finds fix memory 'gives none \(cudaErrorMemoryAllocation\)'
facts "driver=13000\ndevices=1\n${h200/managed=1/managed=0}$works"
examine
check "no concurrent managed access" finds note 'managed memory' 'hw5: .*no points are lost'
facts "driver=13000\ndevices=1\n${h200/cooperative=1/cooperative=0}$works"
examine
check "no cooperative launch" finds note cooperative 'hw8\.4 to hw8\.6: no grid barrier'
facts "driver=13000\ndevices=1\n${h200}free_mib=142000\nkernel=cudaErrorDevicesUnavailable\n"
examine
check "a GPU that another program holds" finds fix kernel 'another program holds the GPU'
facts "driver=12040\ndevices=0\nerror=cudaErrorInsufficientDriver\n"
examine
check "a toolkit of a later major release than the driver's" \
    finds fix driver '12\.4; the toolkit, 13\.0, is too new.*driver 580 or newer.*up to 12\.4'
check "is not called a missing GPU" lacks "$out" '^[a-z]+ +GPU '
printf 'runtime=12080\ndriver=12040\ndevices=1\n%b' "$h200$works" > "$machine/facts"
examine
check "a toolkit of a later minor release" \
    finds note driver '12\.4; the toolkit, 12\.8, is newer.*machine code runs, PTX does not'
fake "$machine/bin/srun" <<< 'shift && exec "$@"'
facts "driver=13000\ndevices=1\n$h200$works"
sed -i '2i [ -n "$ON_NODE" ] || exit 1' "$machine/test_program"
fake "$machine/bin/srun" <<< 'shift && ON_NODE=1 exec "$@"'
rm -r "$tree/build"
examine 'RUN=srun -n1'
check "RUN goes before what needs the device" finds ok kernel 'runs on the GPU'
with_gpu
make_gpus 7.5
facts "driver=13000\ndevices=1\n${h200/capability=90/capability=75}$works"
examine
check "a GPU below 8.0" finds note architectures 'PTX for 75.*older than compute capability 8\.0'

# --- obstacles ---

with_gpu
rm "$machine/cuda/bin/nvcc"
examine
check "no nvcc: 77" is "$outcome" 77
check "no nvcc: the fix" finds fix nvcc 'make setup'
check "no nvcc: the end points to the fix" holds "$out" 'cannot be used here yet'
check "80 columns without nvcc" fits_80_columns
with_gpu
rm "$machine/bin/pkg-config"
examine
check "no Criterion: 77" is "$outcome" 77
check "no Criterion: the fix" finds fix Criterion 'make setup'
with_gpu
fake "$machine/criterion_test" \
    <<< 'echo "criterion: Could not initialize inheritable arena: Permission denied" && exit 1'
examine
check "a Criterion that cannot run its tests: 77" is "$outcome" 77
check "a Criterion that cannot run its tests: the fix" holds "$out" '/dev/shm must be there'
with_gpu
make_gpus 6.1
examine
check "a GPU too old for the toolkit: 77" is "$outcome" 77
check "a GPU too old for the toolkit: the fix" finds fix architectures '6\.1.*older toolkit'
with_gpu
sed -i 's|^-x .*|-x) echo "error: asm operand size" \&\& exit 1 ;;|' "$machine/cuda/bin/nvcc"
examine
check "an nvcc that compiles nothing: 77" is "$outcome" 77
check "an nvcc that compiles nothing: its words" finds fix compiling 'error: asm operand'
check "the GPU is reported all the same" finds ok GPU 'NVIDIA H200'
examine
check "and again on the next run" finds fix compiling 'error: asm operand'

# --- tools ---

with_gpu
fake "$machine/bin/ncu" <<< 'echo "==ERROR== ERR_NVGPUCTRPERM - no permission" && exit 1'
fake "$machine/cuda/bin/compute-sanitizer" <<< 'echo "= Error: Device not supported" && exit 1'
examine
check "counters that are forbidden: the fix for hw7" \
    finds note ncu 'hw7: .*ERR_NVGPUCTRPERM.*NVreg_RestrictProfilingToAdminUsers=0'
check "a sanitizer that refuses the GPU" finds note sanitizer 'does not work.*Device not supported'
check "tools that fail are no obstacle" is "$outcome" 0
fake "$machine/bin/ncu" <<< '[ "$1" = --metrics ] && [ -x "$3" ]'
fake "$machine/cuda/bin/compute-sanitizer" <<< '[ -x "$1" ]'
fake "$machine/bin/nsys" <<< 'exit 0'
examine
check "counters that can be read" finds ok ncu "$machine/bin/ncu reads the hardware counters"
check "a sanitizer that works, beside nvcc" \
    finds ok sanitizer "$machine/cuda/bin/compute-sanitizer works here"
check "nsys" finds ok nsys "$machine/bin/nsys"
patient
examine
check "none of them: grading does not need them" finds note ncu 'not installed.*grading does not'

finish
