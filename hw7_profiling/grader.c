/* Homework 7: its tasks, and causes that only this lesson knows. checks/ tries the tasks. */
#include <criterion/criterion.h>

#include "checks/checks.h"
#include "grader/guarded.h"

static const struct diagnosis diagnoses[] = {
    {"vector-dropped", "A vector is missing from the sums: the loop starts late or ends early, or "
                       "what is left over when the vectors are divided among threads is left out."},
    {"average-of-averages",
        "The parts were averaged, and then those averages: right only where all "
        "parts hold equally many vectors. Add the sums, and divide once."},
    {"other-set", "The result holds vectors of another set: the sum does not start from 0 for each "
                  "set, or the set is missing from the index of the input."},
    {"columns-dropped", "The last columns are missing from the sums: a row's end is no multiple of "
                        "what the lanes take at a time."},
    {"one-lane-only", "The result is the share of one lane: what the other 31 have added up is not "
                      "folded into it."},
    {"matrix-transposed", "The matrix is read along its columns: element (row, column) is "
                          "matrix[row * columns + column]."},
    {"vectors-left-over",
        "The last vectors have no product: after the passes with a full number of "
        "vectors there are some left, and they need a pass as well."},
    {"same-vector", "Several products are those of one vector: the number of the vector is missing "
                    "from the index of the input."},
    {"sums-kept", "A pass goes on with the sums of the one before: they start from 0 in each."},
    {"matrix-read-again",
        "The matrix is read again for every vector or two, and no cache holds it: "
        "use each element for four or eight vectors while it is in a register."},
    {"mixed-denominators",
        "Metrics of the whole time are compared with metrics of the active time: "
        "a unit that is busy 95 % of half the time is busy 47 % of it. Multiply "
        "the latter by the share of time in which the SMs were active."},
    {"share-in-per-cent",
        "Per cent and shares are mixed: 50 % is a share of 0.5, and a share of 1 is "
        "all of it."},
    {"last-of-equals", "Of equal metrics the first is named: only one that is larger, not one that "
                       "is equal, takes its place."},
    {"wrong-value", "No mistake that the grader knows gives this. Work the case above out by hand, "
                    "step by step as the contract says, and compare each step with your code."},
    {"memory-first", "Memory is named as soon as it is at 60 %, but a unit may be busier still: "
                     "look for the largest of all first."},
    {"above-the-border", "60 % itself is enough: the rule says at least 60 %, not more than 60 %."},
    {"one-metric", "Not all metrics are looked at: DRAM can be idle while the L1 cache and shared "
                   "memory are full, and FP32 while integers or FP64 are."},
    {"passes-rounded-down", "The last pass may hold fewer vectors, and reads the whole matrix all "
                            "the same: the number of passes is rounded up."},
    {"matrix-only",
        "The vectors and their products are moved as well, each of them once: add their bytes."},
    {"one-operation", "A multiplication and an addition are two operations, and each element of "
                      "the matrix takes both for every vector."},
    {"no-roof", "The roof is the lower of two lines at every intensity: what memory delivers, and "
                "what the units can do."},
    {"share-of-the-peak", "The share is that of the peak: what this intensity allows is less, and "
                          "that is what can be achieved."},
    {"count-32-bits", "A product of counts passed 2^32 and lost its upper bits: make it in double, "
                      "or in size_t."},
    {NULL, NULL},
};

static const struct task tasks[] = {
    {
        .id = "hw7.1",
        .title = "averages: enough to do for every SM",
        .function = "average_sets",
        .points = {16, 7, 3},
        .check = check_averages,
        .stream_case = "sets3-vectors37-length77",
        .speed = &average_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw7.2",
        .title = "matrix times vector: sectors that are filled",
        .function = "multiply_vector",
        .points = {16, 7, 3},
        .check = check_vector,
        .stream_case = "rows45-columns77-vectors1",
        .speed = &vector_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw7.3",
        .title = "several vectors: bytes that need not move",
        .function = "multiply_vectors",
        .points = {14, 6, 2},
        .check = check_vectors,
        .stream_case = "rows45-columns77-vectors11",
        .speed = &vectors_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw7.4",
        .title = "name the limiter from its metrics",
        .function = "name_limiter",
        .points = {12, 0, 1},
        .check = check_limiter,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw7.5",
        .title = "the roofline",
        .function = "find_roofline_point",
        .points = {12, 0, 1},
        .check = check_roofline,
        .diagnoses = diagnoses,
    },
};

const struct homework homework = {
    .name = "hw7",
    .folder = "hw7_profiling",
    .file = "profiling.cu",
    .tasks = tasks,
    .task_count = LENGTH(tasks),
    .banned = (const char *const[]){"/cub/", "/thrust/", "/cublas", NULL},
};

Test(hw7, t1, .description = "hw7.1", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw7.1");
}

Test(hw7, t2, .description = "hw7.2", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw7.2");
}

Test(hw7, t3, .description = "hw7.3", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw7.3");
}

Test(hw7, t4, .description = "hw7.4", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw7.4");
}

Test(hw7, t5, .description = "hw7.5", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw7.5");
}

Test(hw7_speed, all, .timeout = SPEED_TIMEOUT_S)
{
    grade_speed();
}
