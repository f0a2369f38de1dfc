/* Homework 1: its tasks, and causes that only this lesson knows. checks/ tries the tasks. */
#include <criterion/criterion.h>

#include "checks/checks.h"

static const struct diagnosis diagnoses[] = {
    {"index-as-value", "The number of the element is stored, not the sum of a[i] and b[i]."},
    {"grid-for-block", "The index uses gridDim where blockDim belongs: a block has blockDim.x "
                       "threads, and that is how far apart blocks begin."},
    {"first-ignored", "`first` is left out, or used in the wrong place: a thread's own number must "
                      "be below `count`, and it adds element first + number."},
    {"shifted-input", "One input is read an element further on than the other: use the same index "
                      "for a, b and sum."},
    {"index-32-bits", "The index is kept or computed in 32 bits: first + i passes 2^31 or 2^32, "
                      "and wraps. Make it a size_t before the addition."},
    {"elements-as-bytes", "cudaMalloc and cudaMemcpy count bytes: n elements are "
                          "n * sizeof(float) bytes."},
    {"count-32-bits",
        "n was put into a variable of 32 bits, where 2^60 becomes 0: it must stay a size_t."},
    {"size-wraps",
        "n * sizeof(float) no longer fits into a size_t, so it wraps: with n = 2^62 + 5 it is 20. "
        "Divide the product by sizeof(float) again, and return an error if that is not n."},
    {"size-of-pointer", "Twice as many bytes are copied as the arrays have: sizeof(float *), or of "
                        "a pointer variable, is 8. The size of an element is sizeof(float)."},
    {"no-copy-in", "a, b or both were not copied to the device before the launch: the kernel adds "
                   "what its memory happens to hold."},
    {"no-copy-back", "The sums are on the device: nothing was copied to the host after the "
                     "launch."},
    {"host-pointer", "The kernel was given an address that is not of the device: a, b or sum "
                     "itself, most likely. Launch it on d_a, d_b and d_sum."},
    {"no-launch", "Memory was allocated on the device, and no kernel was launched on it."},
    {"no-device-work", "The work must be done on the device: memory from cudaMalloc, and a kernel "
                       "that is launched on it."},
    {"launch-for-nothing", "There is nothing to compute, and a kernel was launched all the same: "
                           "return cudaSuccess before the launch."},
    {"row-length-of-b", "B is indexed with the wrong row length: a row of B has `columns` "
                        "elements, so element (k, column) is b[k * columns + column]."},
    {"b-read-transposed", "B is read along its rows, as if it were stored transposed: element "
                          "(k, column) is b[k * columns + column]."},
    {"last-product-only", "Each element is its last product alone: the sum is overwritten in the "
                          "loop, not added to."},
    {"last-product-missing", "The loop over k stops one short: it must run for all k < inner."},
    {"integer-sum",
        "The sum is kept in an integer, so every product loses its fraction: make it a float."},
    {"guards-exchanged", "The two bounds tests are exchanged: row belongs to rows, column to "
                         "columns."},
    {"sides-exchanged", "Kernel and launch disagree: the side of the grid that covers the rows is "
                        "used as the one that covers the columns."},
    {"y-ignored", "threadIdx.y is not used, so the threads of a block that differ only in y all "
                  "work on the same element."},
    {"first-columns", "The first columns hold what threads past the last column of the row above "
                      "wrote: the column needs a bounds test, too."},
    {"inner-zero",
        "With inner = 0 every sum is empty: the product is all zeros, and they must be written."},
    {NULL, NULL},
};

static const struct task tasks[] = {
    {
        .id = "hw1.1",
        .title = "the kernel: index, bounds test, sum",
        .function = "vector_add",
        .points = {20, 20, 3},
        .check = check_vector_add,
        .stream_case = "first0-n10007-threads256",
        .speed = &add_speed,
        .diagnoses = diagnoses,
        .untried = "a launch of 2^31 threads and more: is each product a size_t?",
    },
    {
        .id = "hw1.2",
        .title = "the host function: memory, copies, errors",
        .function = "add_on_gpu",
        .points = {30, 0, 4},
        .check = check_add_on_gpu,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw1.3",
        .title = "matrix product with a two-dimensional grid",
        .function = "multiply",
        .points = {20, 0, 3},
        .check = check_multiply,
        .stream_case = "37x29x85",
        .diagnoses = diagnoses,
        .profile_case = "257x129x131",
    },
};

const struct homework homework = {
    .name = "hw1",
    .folder = "hw1_vector_add",
    .file = "vector_add.cu",
    .tasks = tasks,
    .task_count = LENGTH(tasks),
};

Test(hw1, t1, .description = "hw1.1", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw1.1");
}

Test(hw1, t2, .description = "hw1.2", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw1.2");
}

Test(hw1, t3, .description = "hw1.3", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw1.3");
}

Test(hw1_speed, all, .timeout = SPEED_TIMEOUT_S)
{
    grade_speed();
}
