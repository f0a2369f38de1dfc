/* Homework 4: its tasks, and causes that only this lesson knows. checks/ tries the tasks. */
#include <criterion/criterion.h>
#include <stdbool.h>

#include "checks/checks.h"
#include "grader/guarded.h"

static const struct diagnosis diagnoses[] = {
    {"not-cleared", "atomicAdd adds to what is there, and before the call that is junk: clear all "
                    "four bytes of *out on the stream, before the launch."},
    {"reads-past-the-end", "Something behind the last element was read and added: test the index, "
                           "and round the number of whole vectors down."},
    {"vector-tail-dropped", "The last 1 to 3 elements do not fill a vector of four and were left "
                            "out: take them one at a time."},
    {"vector-tail-repeated",
        "The last n % 4 elements were added more than once: they are no work for every thread or "
        "every block, but for one thread each."},
    {"power-of-two-only",
        "Halving an odd number drops one: the loop suits powers of two. Round the "
        "half up, and let the middle element wait for the next round."},
    {"one-block-only", "The sum is one block's share: each block overwrites the sums of the others "
                       "instead of adding to them with atomicAdd."},
    {"one-warp-only", "The sum is that of the first warp of each block: the second level is "
                      "missing, which adds up the sums of the warps."},
    {"lost-updates", "The sum is a single element: threads that read, add and write back at the "
                     "same time overwrite each other's additions. That takes an atomic."},
    {"no-grid-stride", "Small arrays are right, large ones too small: a grid of fixed size needs a "
                       "loop that goes on by gridDim.x * blockDim.x until n."},
    {"float-accumulator",
        "One float took in every element, or a share of every thread: the larger the sum, the more "
        "of each addition is rounded away. Partial sums stay small and lose little."},
    {"identity-zero", "The search starts from 0, which is larger than every negative number: start "
                      "from -infinity."},
    {"identity-finite", "The search starts from the lowest finite number, but -infinity is lower: "
                        "start from that."},
    {"int-compare",
        "The bits of floats are compared as integers, which turns the order of negative "
        "numbers round."},
    {"bits-compare",
        "The bits of the floats were compared as unsigned numbers: there negative floats order "
        "backwards, and above the positive ones. Flip all bits of a negative float, and the "
        "sign bit alone of the others."},
    {"stale-scratch", "A maximum of the call before is still in the scratch memory: clear what the "
                      "search starts from in every call."},
    {"tie-takes-later", "The value is right, but it stands further to the front as well: of two "
                        "equal values the lower index must win, in every comparison."},
    {"signed-zero", "-0 and +0 are equal, but their bits are not: add +0 before you look at the "
                    "bits."},
    {"index-of-empty-lane", "The index is 0 and the maximum is not there: threads past the end "
                            "offer a value under an index that is not theirs."},
    {"index-never-set", "All elements are -infinity, so none is larger than the start, and the "
                        "index keeps its first value."},
    {"no-last-block",
        "Nothing was written: no block found itself to be the last. The tickets are 0 "
        "to gridDim.x - 1."},
    {"ticket-not-reset", "The first call is right and the second is not: the ticket does not stand "
                         "at 0 again. atomicInc wraps after its second argument, gridDim.x - 1."},
    {"order-dependent", "The bits differ from call to call: sums are added in the order in which "
                        "blocks end. Store them, and let one block add them in a fixed order."},
    {"more-than-one-launch",
        "The task is to do it in one launch: the last block to end adds up the "
        "sums of all."},
    {"no-block-stride", "Each row's sum ends after one element a thread: the threads must go on by "
                        "blockDim.x until the row's end."},
    {"lowest-lanes-doubled", "A lane without a source gets its own value back from __shfl_up_sync: "
                             "add only where lane >= offset."},
    {"lane-is-not-thread", "Right in the first warp of a block, wrong in the others: the lane is "
                           "threadIdx.x % 32."},
    {"exclusive-scan", "Each sum leaves out its own element: the scan must be inclusive, so out[i] "
                       "contains in[i]."},
    {"keeps-zeros", "Zeros were kept as well: only what is greater than 0 is positive."},
    {"written-behind", "Something was written behind the elements that are kept: what is not kept "
                       "is not written at all."},
    {"lost-reservations", "Too few were counted: some blocks or threads got the same place. "
                          "Reading, adding and writing the counter must be one atomicAdd."},
    {"barrier", "__syncthreads() was reached by some threads of a block and not by others: it must "
                "stand where every thread comes by, outside the if."},
    {"warp-sync",
        "A lane that the mask of a shuffle names did not execute it: it has returned, or "
        "took another branch. All 32 lanes must come, those past n with a neutral value."},
    {"shared-race",
        "Two threads touch the same shared memory, one of them writes, and no barrier "
        "lies between: a __syncthreads() where all threads come by orders them. Not even "
        "the threads of one warp run in step."},
    {"global-race", "Two threads touch the same global memory, one of them writes, and nothing "
                    "orders them: that takes an atomic, or a second launch; a ticket also takes a "
                    "__threadfence()."},
    {"uninitialised",
        "Something is read that nobody has written, or not yet: a barrier is missing, or a block "
        "of fewer than 32 warps has fewer than 32 sums of warps."},
    {"illegal-address",
        "A kernel touched memory that does not exist: an index outside of its array, a tile in "
        "shared memory that is smaller than the block, or a place drawn from a counter that was "
        "not set to 0. make sanitize names the line."},
    {NULL, NULL},
};

static const char beyond_31_bits[] = "2^31 elements and more: are index and step of type size_t?";

static const struct task tasks[] = {
    {
        .id = "hw4.1",
        .title = "block tree, grid-stride loads, one atomic",
        .function = "sum_tree",
        .points = {15, 6, 2},
        .check = check_tree,
        .stream_case = "case7-n257-threads256",
        .speed = &tree_speed,
        .diagnoses = diagnoses,
        .untried = beyond_31_bits,
    },
    {
        .id = "hw4.2",
        .title = "two-level warp shuffle, 16-byte loads",
        .function = "sum_shuffle",
        .points = {15, 8, 2},
        .check = check_shuffle,
        .stream_case = "case9-n5000-threads1024",
        .speed = &shuffle_speed,
        .diagnoses = diagnoses,
        .untried = beyond_31_bits,
    },
    {
        .id = "hw4.3",
        .title = "the maximum and where it is",
        .function = "find_maximum",
        .points = {15, 0, 2},
        .check = check_maximum,
        .stream_case = "ties-n100003",
        .diagnoses = diagnoses,
    },
    {
        .id = "hw4.4",
        .title = "one pass, the same bits every time",
        .function = "sum_single_pass",
        .star = true,
        .check = check_single_pass,
        .stream_case = "case4-n4099",
        .diagnoses = diagnoses,
        .untried = beyond_31_bits,
    },
    {
        .id = "hw4.5",
        .title = "a block a row",
        .function = "sum_rows",
        .points = {12, 6, 2},
        .check = check_rows,
        .stream_case = "rows5-columns4099",
        .speed = &rows_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw4.6",
        .title = "a prefix sum in each warp",
        .function = "scan_warps",
        .points = {13, 0, 2},
        .check = check_scan,
        .stream_case = "n257",
        .diagnoses = diagnoses,
    },
    {
        .id = "hw4.7",
        .title = "compaction, one atomic a block",
        .function = "compact_positive",
        .star = true,
        .check = check_compact,
        .stream_case = "n257-from-9-to9",
        .speed = &compact_speed,
        .diagnoses = diagnoses,
    },
};

const struct homework homework = {
    .name = "hw4",
    .folder = "hw4_reduction",
    .file = "reduction.cu",
    .tasks = tasks,
    .task_count = LENGTH(tasks),
    .banned = (const char *const[]){"/cub/", "/thrust/", NULL},
};

Test(hw4, t1, .description = "hw4.1", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw4.1");
}

Test(hw4, t2, .description = "hw4.2", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw4.2");
}

Test(hw4, t3, .description = "hw4.3", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw4.3");
}

Test(hw4, t4, .description = "hw4.4", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw4.4");
}

Test(hw4, t5, .description = "hw4.5", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw4.5");
}

Test(hw4, t6, .description = "hw4.6", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw4.6");
}

Test(hw4, t7, .description = "hw4.7", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw4.7");
}

Test(hw4_speed, all, .timeout = SPEED_TIMEOUT_S)
{
    grade_speed();
}
