/* Homework 2: its tasks, and causes that only this lesson knows. checks/ tries the tasks. */
#include <criterion/criterion.h>

#include "checks/checks.h"

static const struct diagnosis diagnoses[] = {
    {"weights-reversed",
        "The weights are used in the opposite order: weights.at[radius + k] belongs "
        "to in[i + k], so the lowest weight meets the element furthest before."},
    {"window-too-short",
        "The last weight is left out: a window has 2 * radius + 1 elements, so the "
        "loop goes up to and including 2 * radius."},
    {"weights-stale",
        "The weights are those of an earlier call: copy them to constant memory in every "
        "call, on the stream, before the launch."},
    {"ends-not-zero", "Where the window reaches beyond the array, something other than 0 was "
                      "taken: give those cells a 0, before the first element and behind the last."},
    {"one-address",
        "Two arrays that are declared extern __shared__ begin at one address: what was "
        "stored in one stands in the other. Declare one, and let the second begin where "
        "the first ends."},
    {"inner-rounded-down",
        "The products of the last, partial tile are missing: the loop over tiles "
        "must cover all of inner, rounded up."},
    {"tile-not-cleared",
        "Where the last tile is partial, cells past the end of inner keep what the "
        "tile before had there: every cell is stored in every round, if only a 0."},
    {"loads-not-shared", "Elements come from global memory once for each output that needs them. A "
                         "block is to load its part and the halos once, and to read the tile. The "
                         "weights belong in constant memory."},
    {"loads-an-output",
        "Each output needs too many loads. Let a thread make several outputs beside each other "
        "from registers. An array whose index is known only at run time is not in registers but in "
        "local memory, and each read of it is a load."},
    {"tile-not-reused", "Elements of A and B are fetched from global memory too often. In a tile "
                        "of side T each is fetched once and used T times: take T = 16 or 32, and "
                        "let neighbouring threads fetch neighbouring elements."},
    {"illegal-address",
        "A thread reached outside of its memory: before the first element or behind the last one, "
        "where everything counts as 0 and nothing is to be read, or outside of a tile in shared "
        "memory, whose bytes the third argument of the launch gives."},
    {"illegal-address/before",
        "The halo before element 0 does not exist: what lies outside the array counts as 0, and is "
        "not read. Test that there is such an element before you read it."},
    {"illegal-address/shared",
        "The tile needs more shared memory than the launch gives: its third argument counts bytes, "
        "not elements, and the halos need room, too."},
    {"out-of-bounds/before",
        "The halo before element 0 does not exist: what lies outside the array counts as 0, and is "
        "not read. Test that there is such an element before you read it."},
    {"barrier", "__syncthreads() was reached by some threads of a block and not by others: it must "
                "stand where every thread comes by, outside the if."},
    {"shared-race",
        "One thread stores in the tile what another reads, and no barrier lies between them. It "
        "takes one after the tile is loaded, and one more before it is loaded anew."},
    {"uninitialised",
        "A cell of the tile is read that nobody has stored: every cell must get a value, "
        "also in the halos, outside of the array, and where the thread has no output."},
    {NULL, NULL},
};

static const struct task tasks[] = {
    {
        .id = "hw2.1",
        .title = "a stencil through a tile with halos",
        .function = "stencil_tile",
        .points = {26, 4, 4},
        .check = check_tile,
        .stream_case = "n10007-threads256",
        .speed = &tile_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw2.2",
        .title = "radius 16, several outputs a thread",
        .function = "stencil_window",
        .points = {20, 12, 3},
        .check = check_window,
        .stream_case = "n10007",
        .speed = &window_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw2.3",
        .title = "a matrix product through tiles",
        .function = "multiply_tiled",
        .points = {24, 4, 3},
        .check = check_product,
        .stream_case = "64x90x96",
        .speed = &product_speed,
        .diagnoses = diagnoses,
    },
};

const struct homework homework = {
    .name = "hw2",
    .folder = "hw2_stencil",
    .file = "stencil.cu",
    .tasks = tasks,
    .task_count = LENGTH(tasks),
    .banned = (const char *const[]){"/cub/", "/thrust/", "/cublas", NULL},
};

Test(hw2, t1, .description = "hw2.1", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw2.1");
}

Test(hw2, t2, .description = "hw2.2", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw2.2");
}

Test(hw2, t3, .description = "hw2.3", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw2.3");
}

Test(hw2_speed, all, .timeout = SPEED_TIMEOUT_S)
{
    grade_speed();
}
