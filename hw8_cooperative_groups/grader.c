/* Homework 8: its tasks, and causes that only this lesson knows. checks/ tries the tasks. */
#include <criterion/criterion.h>
#include <stdbool.h>

#include "checks/checks.h"
#include "grader/guarded.h"

static const struct diagnosis diagnoses[] = {
    {"power-of-two-only",
        "Halving an odd number drops one: the loop suits groups of a power of two. Round the half "
        "up, and let the middle member wait for the next round."},
    {"past-the-last-rank",
        "A shuffle that reaches past the last rank of a group gives a lane its own value, and that "
        "is added twice: ask whether rank + offset is below size(), or use cg::reduce."},
    {"tiles-share-scratch",
        "A block's sums are right and those of its tiles are not: all tiles write to the same "
        "scratch array, and no barrier of a tile keeps the others out. Give each its own part."},
    {"shared-memory-used", "The sums are right, but made in shared memory: a tile whose size the "
                           "compiler knows has shuffles, which need none."},
    {"atomic-an-element",
        "Each element costs an atomic of its own: let the lanes of a warp that share a bucket add "
        "up their values first, and one of them add the sum."},
    {"rank-is-not-lane", "Only groups with lane 0 in them were added: the lanes of a bucket can be "
                         "any of the warp's. Ask for rank 0 in the group, not for lane 0."},
    {"halo-out-of-step",
        "Right inside, wrong near the ends of blocks: what a neighbour showed is read too early, "
        "too late, or from a cache. Between writing and reading lies a barrier of the whole grid, "
        "and the next step writes to another set."},
    {"not-one-cooperative",
        "The task is one cooperative launch that stays for all steps or rounds: the barrier "
        "of the grid takes the place of further launches."},
    {"state-in-global-memory",
        "Every step moves all cells through global memory: keep them in shared memory from the "
        "first step to the last, in a kernel that stays, and exchange only the edges."},
    {"order-lost", "All elements that are to be kept are there, but not in their order: a place "
                   "that an atomic hands out depends on who comes first."},
    {"more-than-one-launch",
        "The task is to do it in one launch: blocks count, the grid waits, blocks write."},
    {"launch-a-round", "The host launches a kernel for each round. The task is one that stays, "
                       "with a barrier of the grid between rounds."},
    {"infinity-plus-weight",
        "INT_MAX plus a weight is no longer infinite: it wraps, or is a little "
        "less. Leave out edges from vertices that are not reached yet."},
    {"stops-too-early", "Distances are too large, none too small: rounds end before all is final. "
                        "Who clears the flag, and has every block read it by then? The round in "
                        "which nothing changes is the last."},
    {"does-not-stop", "The distances are right, but rounds went on after nothing changed any more: "
                      "let a flag tell all blocks, and stop."},
    {"shared-race",
        "Two threads use one place of shared memory, one of them writes, and no barrier of a group "
        "that both are in lies between. Does each group have its own part, and a barrier after "
        "writing as well as after reading?"},
    {"global-race", "Two threads use one place of global memory, one of them writes, and nothing "
                    "orders them. Between blocks that takes grid.sync(): before what others wrote "
                    "is read, and before what others may still read is overwritten. Not through "
                    "__ldg, whose cache is not kept up to date."},
    {"warp-sync",
        "A warp operation waits for lanes (threads of the warp) that are not here: they took "
        "another branch, or have returned. Let all of a tile come, those without an element with "
        "a 0; or take cg::coalesced_threads(), the group of those that are here."},
    {"launch-failure",
        "The kernel stopped itself. grid.sync() does that in a plain launch: it needs "
        "cudaLaunchCooperativeKernel, which makes sure that all blocks are resident at once."},
    {"signal", "The host code crashed: it followed a pointer that leads nowhere. "
               "cudaLaunchCooperativeKernel takes an array of the addresses of the arguments, not "
               "the arguments themselves."},
    {"time-limit", "The kernel never ends. Some threads wait at grid.sync(), or in a loop of their "
                   "own, for others that have returned or never come by: all threads of all blocks "
                   "must reach each barrier. Or a bound is not what you passed: each argument of a "
                   "cooperative launch points to a variable of exactly the parameter's type."},
    {NULL, NULL},
};

static const struct task tasks[] = {
    {
        .id = "hw8.1",
        .title = "one reduce for blocks and tiles",
        .function = "sum_groups",
        .points = {16, 0, 2},
        .check = check_groups,
        .stream_case = "n1000-block96-group8",
        .diagnoses = diagnoses,
    },
    {
        .id = "hw8.2",
        .title = "tiles as a template, by shuffles",
        .function = "sum_tiles",
        .points = {12, 4, 2},
        .check = check_tiles,
        .stream_case = "n1000-tile8",
        .diagnoses = diagnoses,
    },
    {
        .id = "hw8.3",
        .title = "lanes of a bucket add up first",
        .function = "sum_buckets",
        .points = {17, 6, 3},
        .check = check_buckets,
        .stream_case = "anywhere-n4096",
        .diagnoses = diagnoses,
    },
    {
        .id = "hw8.4",
        .title = "persistent Jacobi with a grid barrier",
        .function = "jacobi",
        .points = {25, 10, 3},
        .check = check_jacobi,
        .stream_case = "case2-n4099-steps3",
        .speed = &jacobi_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw8.5",
        .title = "ordered compaction in one launch",
        .function = "compact_in_order",
        .star = true,
        .check = check_compact,
        .stream_case = "n5003-from-9-to9",
        .diagnoses = diagnoses,
    },
    {
        .id = "hw8.6",
        .title = "shortest paths in one launch",
        .function = "shortest_paths",
        .star = true,
        .check = check_paths,
        .stream_case = "random-vertices500-edges12001",
        .diagnoses = diagnoses,
    },
};

const struct homework homework = {
    .name = "hw8",
    .folder = "hw8_cooperative_groups",
    .file = "cooperative_groups.cu",
    .tasks = tasks,
    .task_count = LENGTH(tasks),
    .banned = (const char *const[]){"/cub/", "/thrust/", NULL},
};

Test(hw8, t1, .description = "hw8.1", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw8.1");
}

Test(hw8, t2, .description = "hw8.2", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw8.2");
}

Test(hw8, t3, .description = "hw8.3", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw8.3");
}

Test(hw8, t4, .description = "hw8.4", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw8.4");
}

Test(hw8, t5, .description = "hw8.5", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw8.5");
}

Test(hw8, t6, .description = "hw8.6", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw8.6");
}

Test(hw8_speed, all, .timeout = SPEED_TIMEOUT_S)
{
    grade_speed();
}
