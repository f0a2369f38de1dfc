/* Homework 5: its tasks, and causes that only this lesson knows. checks/ tries the tasks. */
#include <criterion/criterion.h>
#include <stdbool.h>

#include "checks/checks.h"

static const struct diagnosis diagnoses[] = {
    {"not-managed", "A node lies in memory that is not managed: each must come from "
                    "cudaMallocManaged. Where a kernel can follow a malloc pointer this works by "
                    "luck, and slowly; elsewhere it ends the kernel."},
    {"wrong-list",
        "The nodes are not those of the values, in their order and no more: look at how a "
        "new node is hung behind the one before it, and at the last one's `next`, which is "
        "not NULL by itself."},
    {"read-too-early", "The host looked at managed memory before the device was done with it: a "
                       "launch and a prefetch only queue work. cudaDeviceSynchronize() or "
                       "cudaStreamSynchronize() first."},
    {"sum-not-cleared",
        "The sum began with whatever its memory held: fresh memory, and *sum before "
        "the call, hold anything. Set it to 0 before something is added."},
    {"not-prefetched", "The kernel fetched page after page by faults. Prefetch all of the array to "
                       "the device before the launch, on the same stream."},
    {"not-brought-home",
        "sum_at_home() adds up what it fetches page after page, by faults of the host. "
        "Prefetch all n * sizeof(int) bytes to cudaCpuDeviceId first, on the same "
        "stream, and wait for that."},
    {"wrong-side", "The array was prefetched to the host, where its pages were. Before the launch "
                   "it must go to the device."},
    {"prefetch-in-elements", "Only the first quarter was prefetched: the length is in bytes, "
                             "n * sizeof(int)."},
    {"attribute-not-asked", "Under Windows and WSL concurrentManagedAccess is 0, and a prefetch "
                            "is an error. Ask cudaDeviceGetAttribute first, and skip it there."},
    {"wrong-memory", "A pointer of the copy does not lead to where it must: device memory by "
                     "hand, managed memory otherwise, for the records and for each name."},
    {"wrong-record", "A record of the copy differs from its original: is every field copied, and "
                     "each name to the record that it belongs to?"},
    {"shallow-copy", "The pointer was copied, not what it points to: both share one piece of "
                     "memory, and it will be freed twice."},
    {"missing-zero", "The 0 that ends a name was not copied, or has no room: `length` does not "
                     "count it, so a name has length + 1 bytes."},
    {"size-wraps", "The number of bytes was computed in 32 bits, or wraps in 64: keep it in a "
                   "size_t, divide it by the size of a record again, and return an error if that "
                   "is not the number of records."},
    {"object-not-managed", "new or new[] took its memory from the host's heap: the class needs "
                           "its own operator new and operator new[]."},
    {"wrong-text", "A text does not hold what it must. Its length does not count the 0 at the end, "
                   "but its memory must have room for it; and an assignment must survive that both "
                   "sides are one object."},
    {"device-scope", "atomicAdd is atomic for the threads of one device only: what the CPU adds "
                     "meanwhile can be lost. Use atomicAdd_system."},
    {"one-after-the-other", "The host waits for the device before it adds, or adds before the "
                            "launch: nothing happens at the same time."},
    {"touched-while-busy", "Where concurrentManagedAccess is 0, the host must not touch managed "
                           "memory while a kernel runs: ask for the attribute, and wait first."},
    {"hint-missing",
        "The range does not have the attribute that it needs: which of the arrays is only read, "
        "which stays on the device, which on the host? And who reads but a few elements from "
        "afar? An array may need two pieces of advice."},
    {"hint-in-elements", "Only the first quarter has the attribute: the length of the advice is in "
                         "bytes, not in elements."},
    {"read-mostly-written",
        "Read-mostly is for what is no longer written: each write takes all copies of its page "
        "away again, by a fault, and prefetched pages are copies, too."},
    {"levels-not-cleared", "Vertices that are not reached keep the junk they held before: set "
                           "every level first."},
    {"leak", "Memory is allocated and never freed. Free a list node by node (read `next` first), "
             "each name as well as the records, and in a destructor what the object owns."},
    {"foreign-free",
        "cudaFree was given what this function did not make, or had freed already. After an "
        "allocation has failed, names that are not made yet must be NULL for the clean-up: not "
        "what memory held before, and not those of the originals."},
    {"signal",
        "The host code crashed: it followed a pointer that leads nowhere for it, into device "
        "memory, or to what had been freed already (a node before its `next` was read, a text "
        "assigned to itself). In a case called \"allocation-…-fails\" an allocation was made to "
        "fail: the clean-up must cope with what is not made yet."},
    {"illegal-address", "A kernel followed a pointer that means nothing on the device: a variable "
                        "on the host's stack, an object outside of managed memory, or the table of "
                        "an object's virtual functions, which leads into host code."},
    {NULL, NULL},
};

static const struct task tasks[] = {
    {
        .id = "hw5.1",
        .title = "a list that both sides walk",
        .function = "list_make",
        .points = {16, 0, 2},
        .check = check_list,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw5.2",
        .title = "pages on the right side: prefetch",
        .function = "increment",
        .points = {16, 20, 2},
        .check = check_increment,
        .stream_case = "n16383",
        .speed = &increment_speed,
        .diagnoses = diagnoses,
        .untried = "above 2^28 elements: do the threads of the largest grid take several each?",
    },
    {
        .id = "hw5.3",
        .title = "deep copies, by hand and managed",
        .function = "copy_by_hand",
        .points = {18, 0, 2},
        .check = check_copies,
        .diagnoses = diagnoses,
        .copies_back = true,
    },
    {
        .id = "hw5.4",
        .title = "a class in managed memory",
        .function = "text_make",
        .star = true,
        .check = check_text,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw5.5",
        .title = "one counter, two sides at once",
        .function = "count_together",
        .points = {10, 0, 2},
        .check = check_count,
        .diagnoses = diagnoses,
        .untried = "a host that adds without an atomic: is it __atomic_fetch_add?",
    },
    {
        .id = "hw5.6",
        .title = "hints for three arrays",
        .function = "advise",
        .points = {10, 0, 2},
        .check = check_hints,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw5.7",
        .title = "breadth-first search over pointers",
        .function = "breadth_first",
        .star = true,
        .check = check_search,
        .diagnoses = diagnoses,
    },
};

const struct homework homework = {
    .name = "hw5",
    .folder = "hw5_managed_memory",
    .file = "managed_memory.cu",
    .tasks = tasks,
    .task_count = LENGTH(tasks),
    .timeline = true,
};

#define TASK(number)                                                               \
    Test(hw5, t##number, .description = "hw5." #number, .timeout = TASK_TIMEOUT_S) \
    {                                                                              \
        grade_task("hw5." #number);                                                \
    }

TASK(1)
TASK(2)
TASK(3)
TASK(4)
TASK(5)
TASK(6)
TASK(7)

Test(hw5_speed, all, .timeout = SPEED_TIMEOUT_S)
{
    grade_speed();
}
