/* The causes that are common to all homeworks. Each says what was most likely done, and where to
 * look; none says that the student is wrong. */
#include "diagnosis.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

const struct diagnosis common_diagnoses[] = {
    /* ---- values (pattern_values.c) ---- */
    {"unwritten", "No kernel wrote the output: the launch is missing, its guard excludes every "
                  "thread, or the result was not copied back."},
    {"accumulated", "The kernel adds to what the output held before (+= or an atomic) instead of "
                    "overwriting it. The output is not cleared for you: start from 0."},
    {"all-nan", "Something undefined went into every result: the output is added to (+=) before it "
                "is written, memory is read that nobody has set or that lies outside of its array, "
                "or 0/0 was computed."},
    {"all-zero", "The result was never computed: a sum that stays 0, an output that was cleared "
                 "and not filled, or inputs that did not arrive."},
    {"all-same", "Every thread stores the same number: perhaps the value of one thread, or of one "
                 "block, is written to all elements instead of each thread's own."},
    {"copy-of-input", "The output is an input, unchanged: the kernel copies and does not compute, "
                      "or the wrong pointer is read or copied back."},
    {"transposed", "Rows and columns are exchanged: in the index of the output, or where row and "
                   "column are made from x and y of the thread."},
    {"off-by-one", "The index of what is read and the index of what is written differ by one: look "
                   "for a + 1 or - 1 on one side only, or an array read from its second element."},
    {"constant-offset", "Every element is off by the same amount: something is added once too "
                        "often or once too rarely, or a sum does not start at 0."},
    {"constant-factor",
        "Every element is off by the same factor: something is added several times, "
        "or a scaling is missing or applied twice."},

    /* ---- places that depend on the block size (pattern_blocks.c) ---- */
    {"first-block-only", "Only the first block's elements are right: the index leaves out "
                         "blockIdx.x * blockDim.x, or the grid has one block only."},
    {"grid-rounded-down", "The elements after the last whole block are missing: n / block rounds "
                          "down, so the grid is one block too small. Use ceil_div(n, block)."},
    {"last-partial-block",
        "The last block is not full, and its threads past the end take part in what the others "
        "compute: give them a neutral value instead (0 for a sum)."},
    {"block-starts", "The first elements of each block need data that belongs to the block before: "
                     "the left halo is not loaded, or by too few threads."},
    {"block-ends", "The last elements of each block need data that belongs to the next block: the "
                   "right halo is not loaded, or by too few threads."},
    {"block-borders",
        "The elements at both ends of each block need data that belongs to the blocks "
        "beside it: the halo is not loaded, or only part of it."},

    /* ---- places in a matrix (pattern_matrix.c) ---- */
    {"first-row-only", "Only row 0 is right: an index uses the row wrongly. The row is left out, "
                       "or multiplied by the row length of another matrix."},
    {"first-column-only", "Only column 0 is right: the column is left out of the index, or "
                          "blockIdx.x and threadIdx.x are not used."},
    {"first-rows", "The first rows are wrong: a border case at the top, or a row that starts too "
                   "late."},
    {"last-rows", "The last rows are missing or wrong: the grid's height is rounded down, or the "
                  "row's guard is against the wrong bound (rows, not columns)."},
    {"first-columns", "The first columns are wrong: a border case at the left, or a column that "
                      "starts too late."},
    {"last-columns", "The last columns are missing or wrong: the grid's width is rounded down, or "
                     "the column's guard is against the wrong bound (columns, not rows)."},

    /* ---- other places (pattern_ranges.c) ---- */
    {"first-element-only", "One thread wrote one element: the index does not depend on the thread, "
                           "or only thread 0 is let past the guard."},
    {"first-quarter-only", "A count of elements was passed where bytes are wanted: cudaMalloc, "
                           "cudaMemcpy and cudaMemset take n * sizeof(float)."},
    {"every-second", "Only every second element is reached: a stride of 2, an index times 2, or "
                     "half of the threads that leave early."},
    {"beginning-wrong", "The start of the array is treated differently: look at what happens for "
                        "the smallest indexes, where a neighbour or a predecessor is missing."},
    {"stops-early", "Nothing was written from there on: too few threads for n and no grid-stride "
                    "loop, a loop that ends too early, or an index that wraps."},
    {"end-wrong", "From there on the inputs or the indexes are wrong: too little was copied, a "
                  "bound is too small, or an index wraps."},
    {"gaps", "Some elements were never written: the indexes of the threads leave gaps, or a "
             "condition excludes threads that have work."},
    {"unknown-pattern", "The wrong elements follow no pattern that the grader knows. Try a tiny "
                        "size by hand (make try), and print the index that a wrong element's "
                        "thread computes."},
    {"unknown-pattern/nan",
        "Some results are NaN, and no input is: something is read that nobody has set, or that "
        "lies "
        "outside of its array, or the output is added to (+=) before it is written."},
    {"wrong-value", "The result is one number, so its place says nothing. Try a tiny size by hand "
                    "(make try), then the sizes around a warp and a block: 31, 32, 33."},

    /* ---- calls (trial_call.c) ---- */
    {"not-attempted", "The function still returns cudaErrorNotYetImplemented, as the skeleton "
                      "does. That is expected: fill in its TODO and return the status of your "
                      "last call."},
    {"not-implemented-here", "The function works for other cases, but still returns "
                             "cudaErrorNotYetImplemented on one path: look for a return that the "
                             "skeleton left behind."},
    {"error-not-returned",
        "The error is lost on its way, or nobody asked: a status that is overwritten, a call "
        "without CUDA_TRY, a missing test of the arguments, or a return cudaSuccess at the end."},
    {"launch-error-ignored",
        "A launch returns nothing, so nobody notices that one was refused until somebody asks: "
        "return cudaGetLastError() right after the <<<>>>. Then mend the launch itself."},
    {"call-error-ignored",
        "No launch was refused, but a call failed, and what it returned was not looked at. Often "
        "it is in the clean-up: freeing NULL is legal, destroying a stream, an event or a graph "
        "that was never made is not."},
    {"sticky-error", "The call broke the device's context: a kernel ran into an error although the "
                     "function was going to refuse. Check the arguments before launching."},
    {"computed-on-host",
        "The data was moved to the host and the work done there, or the output was copied from "
        "elsewhere. The task is to compute on the GPU: leave the inputs where they are and launch "
        "a kernel that writes the output."},
    {"other-stream",
        "The caller's own copies wait in the stream that it gives the function. Something of the "
        "function is not queued there, so it runs too early or too late. That stream is the "
        "fourth argument of a launch (<<<blocks, threads, 0, stream>>>) and the last of "
        "cudaMemcpyAsync and cudaMemsetAsync, instead of cudaMemcpy and cudaMemset. A stream of "
        "your own must wait for it, and be waited for, by events."},
    {"uncoalesced", "Memory moves in sectors of 32 bytes, and the 32 threads of a warp use only a "
                    "part of each sector that they touch: in one instruction neighbouring threads "
                    "must work on neighbouring elements."},
    {"narrow-loads", "The bytes come in many small loads: a load of a float4 brings 16 bytes to "
                     "each thread at once."},
    {"many-atomics", "Too many threads add to the result: first add up within the block, then let "
                     "one thread of it add to memory."},
    {"guard-zone", "A thread wrote outside of the array: threads past the end are not excluded (if "
                   "(i < n)), or the index is computed with the wrong size."},
    {"input-modified",
        "An input was written to. Inputs are const for a reason: other work may read "
        "them. Use the output, a register or shared memory for what changes."},
    {"leak", "Memory is allocated and not freed. Free it on every path: put the cudaFree calls "
             "behind one label (done:) that every return goes through."},
    {"leak-on-error", "When something fails, what was allocated before stays allocated. Go to one "
                      "clean-up label (done:) on errors, too; freeing NULL is legal."},

    /* ---- launches that were refused (cuda_failure.c) ---- */
    {"empty-grid", "The grid has 0 blocks, which no launch may have. Where there is nothing to do, "
                   "launch nothing; elsewhere round the number of blocks up (ceil_div), not down."},
    {"empty-block", "The block has 0 threads: a block size was computed as 0, or the two numbers "
                    "of <<<blocks, threads>>> are exchanged."},
    {"block-too-large",
        "A block has at most 1,024 threads in all (x times y times z): use smaller blocks, and "
        "more of them. Or the two numbers of <<<blocks, threads>>> are exchanged."},
    {"grid-y-too-large", "y and z of a grid end at 65,535; only x goes up to 2,147,483,647. Put "
                         "what can be long on x, or let each block do several rows."},
    {"grid-x-too-large", "x of a grid ends at 2,147,483,647: a negative or wrapped number of "
                         "blocks, most likely. Compute it in size_t."},
    {"shared-too-large",
        "A block gets more than 48 KB of shared memory only after cudaFuncSetAttribute has asked "
        "for it. Or a number of bytes is off by a factor."},
    {"launch-configuration",
        "The launch was refused: look at its grid, block and shared bytes, and "
        "at cudaFuncAttributes for what this kernel allows. Where arguments are passed as an "
        "array, it holds their addresses: {&in, &n}."},
    {"launch-resources", "The threads of a block need more registers than a multiprocessor has: "
                         "use a smaller block, or limit the registers by __launch_bounds__."},
    {"cooperative-too-large",
        "All blocks of a cooperative launch must be resident (on the device) at once. Ask "
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor, with the block and the shared bytes of "
        "this launch, and multiply by the number of multiprocessors."},

    /* ---- other CUDA errors (cuda_failure.c) ---- */
    {"invalid-value",
        "A CUDA call got an argument that it refuses: a NULL or foreign pointer, a "
        "size that is wrong, is 0 or has wrapped. On a GPU make sanitize names the call."},
    {"copy-direction", "A copy does not fit its pointers. In cudaMemcpy(to, from, bytes, kind) the "
                       "kind says from where to where, and neither side may have fewer bytes."},
    {"out-of-memory", "The memory that was asked for is not there: a byte count that is far too "
                      "large (or has wrapped), or memory that is never freed."},
    {"illegal-address",
        "A kernel touched memory that does not exist: an index outside of its array or of its "
        "shared memory, a NULL pointer, or a host pointer. make sanitize names the line."},
    {"illegal-address/local",
        "An array of the thread's own is too short for its index: what it counts can be more than "
        "the array was made for. Go over it in parts, or leave out what has no place."},
    {"host-pointer", "A kernel got a host pointer: nothing was allocated on the device. Allocate "
                     "with cudaMalloc, copy the inputs there, and pass those pointers."},
    {"misaligned-address", "A wide load or store needs an address that is a multiple of its size: "
                           "16 bytes for a float4. Look at the pointer and the index: a row, or a "
                           "shifted pointer, need not begin at such an address."},
    {"launch-failure", "The kernel was stopped: by a trap, a stack that overflows, or a jump into "
                       "nowhere, often after writing past a local array. make sanitize says more."},
    {"device-assert", "An assert() in a kernel failed; its message is above."},
    {"launch-timeout", "A kernel did not end in time and was stopped: a loop whose condition never "
                       "becomes false, or threads that wait for others that never come."},
    {"invalid-device-pointer", "A pointer was freed twice, or freed although cudaMalloc did not "
                               "return it (an address inside an array, or on the host)."},
    {"invalid-handle", "A stream or event is used that was never created, or already destroyed."},
    {"invalid-symbol", "A __device__ or __constant__ variable was named that the runtime does not "
                       "know: pass the variable itself, not its address or its name."},
    {"no-kernel-image", "The file was built for another GPU than this one. Build it with make, "
                        "which asks for the right one."},
    {"stream-capture", "While a stream is captured, no call may wait for it or use the default "
                       "stream, as cudaMemset and cudaMemcpy without Async do; and a stream that "
                       "was forked off must be joined again before the end."},
    {"cuda-error",
        "A CUDA call failed, and its error is named above. make sanitize shows which call it was."},

    /* ---- how a test ended (judging.c) ---- */
    {"time-limit",
        "The test did not end in time: a kernel or a loop that never finishes. Threads that wait "
        "at a barrier or in a shuffle for others that never come look like this, too."},
    {"signal", "The host code crashed: it followed a pointer or an index that leads nowhere. That "
               "happens with a device pointer, too, and with memory that is freed already."},
    {"division-by-zero", "An integer was divided by 0 on the host (% divides, too): test for 0 "
                         "first. A float would have become infinite instead."},
    {"exit", "The code ended the whole program. Return an error instead of calling exit()."},
    {"killed-the-grader", "The process that runs the tests was killed from inside the test."},
    {"process-left-behind", "The code started a process that lived on after the test."},
    {"memory-limit",
        "The code fills the memory of the host: it allocates in a loop and never frees, or a size "
        "is far too large (below 0 it wraps to a huge one)."},
    {"too-many-processes", "The code starts processes that start others. A homework needs none."},
    {"too-many-threads",
        "The code starts threads of the host without end. The threads of the GPU are not started "
        "one by one: a launch makes them."},
    {"file-too-large", "The code writes to a file without end. A homework needs no file."},
    {"signals-the-grader", "The code tried to stop or to end the program that grades it, or all "
                           "that runs here. It was ended instead."},
    {"function-missing", "A function that is needed is not there. If it is one of the contract: "
                         "copy its line from the header, name and parameters, and fill it in. If "
                         "it is one of your own: define it, too, not only declare it."},
    {"compile-error",
        "nvcc refuses the file. Its first error is the one to look at; later ones often "
        "follow from it."},
    {"compiler-stopped",
        "The compiler needed more time, memory or disk than a homework ever does: templates that "
        "call themselves, a header that includes itself, very large arrays with values."},
    {"wrong-when-timed", "The result is right for the small cases and wrong for the timed size: "
                         "work that is skipped, a cached result, or an index that wraps."},
    {"below-the-gate", "The result is right, and takes longer than the lesson's technique does. "
                       "make profile says what your kernels wait for."},
    {"allocates-each-call",
        "The result is right, and each call gets memory from the device and gives it back, which "
        "takes a tenth of a millisecond and more, whatever the kernels do. Do without, or let the "
        "pool of the stream keep it. Then ask make profile."},
    {"far-below-the-gate",
        "The result is right, and takes so much longer than the lesson's technique does that its "
        "time was not taken. make profile says what your kernels wait for."},

    /* ---- nobody's fault, or the grader's ---- */
    {"no-such-case", "No case of this task has that name. Copy the whole line that the failure "
                     "printed after \"replay\"."},
    {"too-little-memory", "The device has too little free memory for this case: close what else "
                          "uses the GPU."},
    {"device-unavailable", "The device cannot be used now: another program may hold it, or the "
                           "driver is missing or too old. make doctor says more."},
    {"no-device", "There is no device to grade on. make doctor says what is missing."},
    {"ptx-version",
        "The toolkit is newer than the driver understands: update the driver, or use an "
        "older toolkit (make doctor)."},
    {"needs-gpu", "The virtual GPU cannot execute something that this code uses. It needs a real "
                  "GPU; nothing is wrong with the code."},
    {"no-cases", "The grader ran no case of this task. That is a fault of the grader."},
    {"grader-cuda", "A CUDA call of the grader itself failed. That is a fault of the grader, or of "
                    "the machine; make doctor may say more."},
    /* What the virtual GPU sees; where and how is in its own words above. */
    {"out-of-bounds", "A thread reads or writes past the end of an array, or before its beginning: "
                      "a bounds test is missing, or tests the wrong number."},
    {"out-of-bounds/before",
        "A thread reads or writes before the first element: an offset is left out of the index "
        "(sum[i] where sum[first + i] is meant), or an index goes below 0."},
    {"out-of-bounds/shared",
        "A thread uses shared memory that its block does not have. Of an extern __shared__ array "
        "the third argument of the launch says how many bytes there are: bytes, not elements."},
    {"misaligned", "An address is not a multiple of the size of what is read or written there: a "
                   "16-byte load needs a 16-byte boundary."},
    {"use-after-free",
        "Memory is used after it was freed: another allocation may have it by then."},
    {"null-pointer",
        "A kernel follows a NULL pointer: an allocation that failed, or was never made."},
    {"read-only", "A kernel writes to memory that is only to be read."},
    {"heap", "Memory of the device's own malloc is freed twice, or was never allocated."},
    {"uninitialised",
        "A thread reads memory that nobody has written: what is there differs from "
        "run to run. Perhaps a part is left out, or it is read before it is written."},
    {"shared-race", "Two threads of a block use one place of shared memory, at least one of them "
                    "writes, and no barrier lies between them. On a GPU it may come out right by "
                    "luck; __syncthreads(), or __syncwarp() within a warp, makes it right."},
    {"global-race", "Two threads use one place of global memory, at least one of them writes, and "
                    "nothing orders them. Was each thread to write an element of its own? Then two "
                    "of them compute the same index. If they share it on purpose, an atomic, a "
                    "fence with a flag, or a second launch orders them."},
    {"stream-race",
        "Two calls in different streams, or two branches of a graph, use the same bytes, at "
        "least one of them writes, and nothing orders them. Let one stream wait for an "
        "event of the other, give each a buffer of its own, or wait on the host."},
    {"atomic-scope", "The host and a kernel change the same word at the same time, and the atomic "
                     "operation holds only for the device: use its _system form on both sides, or "
                     "let the host wait first."},
    {"barrier", "Not all threads of the block reach the same barrier: it stands in a branch or a "
                "loop that some of them skip, or after an early return."},
    {"warp-sync", "A warp operation names lanes (threads of the warp) in its mask that do not take "
                  "part in it, or reads from one, which gives something undefined. Let all 32 "
                  "come, those without work with a neutral value."},
    {"deadlock",
        "Threads wait for something that can never happen: a lock that is not released, or "
        "a block that cannot start before this one ends."},
    {"outside-the-call",
        "The work must be queued when the function returns: threads of the host that go on "
        "afterwards are outside the call, and outside the time that is measured."},
    {"foreign-free",
        "The function frees memory that it was given: only what it allocated is its to free."},
    {"library-used",
        "The lesson is to write this yourself: the library that is included does it for you. "
        "Compare with it when you are done."},
    {"forged-assertion",
        "The code spoke to the test framework. It is to compute, not to judge itself."},
    {"cannot-start",
        "The machine could not start the process of a test: too many processes or open files "
        "(ulimit -u, ulimit -n), or too little memory. Close something, then grade again."},
    {"audit", "The test's own account and the grader's disagree. That is a fault of the grader, "
              "or the candidate interfered with it."},
    {"no-candidate", "The shared object to grade is missing, and nvcc left no message. That is a "
                     "fault of the grader."},
    {NULL, NULL},
};

static const char unknown[] =
    "The grader has no explanation for this one. Try a tiny size by hand (make try), and run "
    "make sanitize.";

static const char *look_up(const char *id, const struct diagnosis *table)
{
    for (; table && table->id; table++)
        if (strcmp(table->id, id) == 0)
            return table->cause;
    return NULL;
}

const char *diagnosis_cause(const char *id, const struct diagnosis *lesson)
{
    return diagnosis_cause_at(id, "", lesson);
}

const char *diagnosis_cause_at(const char *id, const char *place, const struct diagnosis *lesson)
{
    const struct diagnosis *const tables[] = {lesson, common_diagnoses};
    const char *cause = NULL;
    char placed[80];

    snprintf(placed, sizeof placed, "%s/%s", id ? id : "", place);
    for (size_t k = 0; k < 2 && !cause && id; k++) {
        cause = look_up(placed, tables[k]);
        cause = cause ? cause : look_up(id, tables[k]);
    }
    return cause ? cause : unknown;
}

const char *diagnosis_place(const char *finding)
{
    if (strstr(finding, "shared memory"))
        return "shared";
    if (strstr(finding, "local memory"))
        return "local";
    return strstr(finding, "before the start of") ? "before" : "";
}
