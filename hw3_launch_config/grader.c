/* Homework 3: its tasks, and causes that only this lesson knows. checks/ tries the tasks. */
#include <criterion/criterion.h>
#include <stdbool.h>

#include "checks/checks.h"
#include "grader/guarded.h"

static const struct diagnosis diagnoses[] = {
    {"no-grid-stride", "Each thread does one element, and there are fewer threads than elements: "
                       "let it go on by gridDim.x * blockDim.x until the end."},
    {"index-32-bits", "The index is kept or computed in 32 bits: first + i passes 2^31 or 2^32, "
                      "and wraps. Make it a size_t before the addition."},
    {"first-ignored", "`first` is left out, or used in the wrong place: a thread's own number must "
                      "be below `count`, and it adds element first + number."},
    {"done-again", "Several threads add the same elements: each has to go on by the number of all "
                   "threads of the grid, gridDim.x * blockDim.x, not by those of a block."},
    {"other-launch",
        "The contract gives the grid and the block: launch exactly those, whatever n is."},
    {"partial-warps", "The block is not a multiple of 32: the last warp of every block has lanes "
                      "that are never used."},
    {"no-blocks", "A launch of 0 blocks is an error, not a launch of nothing: round up, and launch "
                  "at least 1."},
    {"idle-blocks", "There are blocks without an element: launch no more than n divided by the "
                    "block size, rounded up, and at least one."},
    {"sm-not-full", "With blocks of this size an SM cannot hold all the threads that it has room "
                    "for: 1,024 do not divide 1,536, and 64 would take 24 blocks. Divide "
                    "threads_per_sm by the block size, and compare with blocks_per_sm."},
    {"gpu-not-full", "SMs stay idle or half empty although there is work for them: the number of "
                     "blocks must follow from the number of SMs and what each of them holds."},
    {"count-32-bits", "Up to 2^31 the choice is right: the number of blocks that n would need is "
                      "computed in 32 bits. Compare in size_t, and narrow afterwards."},
    {"units-ignored", "Registers and shared memory are given in units: a warp's registers and a "
                      "block's shared bytes have to be rounded up before they are divided."},
    {"parts-ignored", "The registers are not one pool: each scheduler has its part, and a warp "
                      "gets all of its registers from one. Count the warps of one part first."},
    {"reserved-ignored",
        "The system takes shared_reserved bytes for every block, also for one that "
        "uses no shared memory of its own."},
    {"threads-not-warps",
        "An SM has room for whole warps: 33 threads take up two of them, that is 64 "
        "threads."},
    {"tie-broken-otherwise", "Two limits stop at the same number of blocks; the contract asks for "
                             "the first of the enum."},
    {"shared-beyond-a-block",
        "A block may have no more shared memory than shared_per_block: a launch that asks for more "
        "is refused. So no block of it is resident, and shared memory is what limits it."},
    {"division-by-zero", "An integer was divided by 0 on the host: what a block does not use does "
                         "not limit. Test for 0 registers and 0 shared bytes first."},
    {"wrong-limiter",
        "The number of blocks is right, but another limit gives it than the one that is named."},
    {"wrong-residency", "One of the four divisions is off. Compute each of them by hand, and "
                        "compare: make try HW=3 TASK=3 N=256"},
    {"fields-exchanged", "A column holds another field than its own: the order in memory is x, y, "
                         "z, mass, and a float4 calls these x, y, z, w."},
    {"structures-ignored", "The input is copied as if it were four columns already: particle i is "
                           "the floats 4i, 4i + 1, 4i + 2 and 4i + 3."},
    {"four-loads-a-particle",
        "Each lane (thread of a warp) loads its 16 bytes in four loads of 4; copying a struct is "
        "four such loads, too. Each touches all sectors of the warp: load a particle as one "
        "float4."},
    {"launch-for-nothing", "There is nothing to compute, and a kernel was launched all the same: "
                           "return cudaSuccess before the launch."},
    {"read-bounds",
        "The bounds test of the reads guards the writes as well. There rows and columns "
        "have changed places: test the indices that you write to."},
    {"bank-conflicts", "Lanes (threads of a warp) want different words of one bank of shared "
                       "memory, and wait for each other: each wait is one more wavefront. Give the "
                       "tile one column more than it needs, or swizzle its index."},
    {"narrow-requests",
        "Floats are moved one or two at a time. Where both addresses miss the 16-byte boundary "
        "alike, whole float4 can be copied after at most 3 floats."},
    {"head-missing", "The floats before the first 16-byte boundary are not copied."},
    {"tail-missing", "The floats after the last whole float4 are not copied."},
    {"written-before", "Something was written in front of `to`: the address was rounded down to a "
                       "boundary. Round up, and copy the floats up to there one by one."},
    {"copied-by-the-runtime",
        "cudaMemcpyAsync did the work: the copy is to be made by a kernel of yours."},
    {NULL, NULL},
};

static const struct task tasks[] = {
    {
        .id = "hw3.1",
        .title = "a grid-stride loop under any launch",
        .function = "add_under_launch",
        .points = {14, 5, 2},
        .check = check_add,
        .stream_case = "first0-n10007-blocks4-threads96",
        .speed = &add_speed,
        .diagnoses = diagnoses,
        .untried = "a launch of 2^32 threads, which takes a GPU: is the step a size_t?",
        .gpu_tries_it = true,
    },
    {
        .id = "hw3.2",
        .title = "a launch for this GPU",
        .function = "choose_launch",
        .points = {12, 3, 1},
        .check = check_choice,
        .speed = &choice_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw3.3",
        .title = "occupancy by hand",
        .function = "count_resident",
        .points = {16, 0, 1},
        .check = check_residency,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw3.4",
        .title = "array of structures to structure of arrays",
        .function = "split_particles",
        .points = {12, 4, 3},
        .check = check_split,
        .stream_case = "n1000",
        .diagnoses = diagnoses,
    },
    {
        .id = "hw3.5",
        .title = "transpose through a padded tile",
        .function = "transpose",
        .points = {16, 8, 3},
        .check = check_transpose,
        .stream_case = "70x45",
        .speed = &transpose_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw3.6",
        .title = "16 bytes at a time, any alignment",
        .function = "copy_floats",
        .star = true,
        .check = check_copy,
        .stream_case = "from1-to1-n1000",
        .speed = &copy_speed,
        .diagnoses = diagnoses,
    },
};

const struct homework homework = {
    .name = "hw3",
    .folder = "hw3_launch_config",
    .file = "launch_config.cu",
    .tasks = tasks,
    .task_count = LENGTH(tasks),
    .banned = (const char *const[]){"/cub/", "/thrust/", "/cuda_occupancy.h", NULL},
};

Test(hw3, t1, .description = "hw3.1", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw3.1");
}

Test(hw3, t2, .description = "hw3.2", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw3.2");
}

Test(hw3, t3, .description = "hw3.3", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw3.3");
}

Test(hw3, t4, .description = "hw3.4", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw3.4");
}

Test(hw3, t5, .description = "hw3.5", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw3.5");
}

Test(hw3, t6, .description = "hw3.6", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw3.6");
}

Test(hw3_speed, all, .timeout = SPEED_TIMEOUT_S)
{
    grade_speed();
}
