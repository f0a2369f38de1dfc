/* Homework 6: its tasks, and causes that only this lesson knows. checks/ tries the tasks. */
#include <criterion/criterion.h>
#include <stdbool.h>

#include "checks/checks.h"
#include "grader/guarded.h"

static const struct diagnosis diagnoses[] = {
    {"not-waited-for",
        "The function returns before the result is there: at its end it must wait for "
        "every stream, on every device, that still has work of it."},
    {"handle-leak", "What is created must be destroyed, on every path: streams, events, graphs, "
                    "instantiated graphs. It may be destroyed while its work is still queued: that "
                    "work is done all the same."},
    {"remainder-dropped",
        "The words behind chunks * (n / chunks), or devices * (n / devices), are missing: round "
        "the size of a part up (ceil_div) and let the last one be shorter."},
    {"not-ordered", "What comes back was not stirred yet: the kernel runs in another stream than "
                    "its copies, and nothing orders them. The default stream waits for no stream "
                    "that was made with cudaStreamNonBlocking."},
    {"buffer-reused", "The result holds words of another chunk, or was stirred twice: a buffer was "
                      "filled again before its chunk was on its way out. Its copy out must come "
                      "before the next copy in, and its kernel between them, all in one stream."},
    {"source-not-awaited",
        "left or right read what source had not written yet: record an event behind source, and "
        "let "
        "both streams wait for it after that. A wait before the record waits for nothing."},
    {"branch-not-awaited",
        "sink, or the end of streams[0], came before left or right was done: each needs a wait of "
        "its own. An event stands for its latest record: recorded in both streams before anybody "
        "waits, it stands for one."},
    {"host-waits",
        "The host waited for the device: by a synchronise call, by a copy to memory that "
        "is not pinned, or by freeing memory, which waits, too."},
    {"not-concurrent",
        "left and right wait for each other: they are in one stream, or an event too "
        "many lies between them."},
    {"journal-order",
        "A later stage was written first: two streams keep no order, so each line has "
        "to wait for an event behind the one before it."},
    {"journal-incomplete", "streams[0] was done and lines were missing: it must also wait for what "
                           "the other stream writes."},
    {"result-not-awaited", "A line was written before its result had arrived: the host function "
                           "must be queued behind the copy, in the same stream."},
    {"argument-gone", "The host functions found something else behind their argument: it points at "
                      "a variable that has changed, or is gone, by the time that they run. Each "
                      "needs memory of its own that lives until then."},
    {"cuda-in-host-function",
        "A host function called CUDA. It runs while its stream waits for it, so a call that waits "
        "for the stream would never end: copy before, in the stream."},
    {"baked-in", "Every row was computed with what the first one had: the graph keeps the "
                 "arguments of its kernels, and the pointers of its copies, as they were when it "
                 "was captured."},
    {"staging-overwritten", "Every row was computed with what the last one had: the host changed "
                            "memory that a queued copy was still to read."},
    {"links-fused",
        "The links are to be kernels of their own: many small launches are what a graph "
        "is for."},
    {"captured", "The task is to make the graph node by node, without cudaStreamBeginCapture."},
    {"links-unordered", "A graph orders only what it is told to: each link depends on the one "
                        "before, which is the third argument of cudaGraphAddKernelNode."},
    {"no-graph", "The rows are to go through a graph: make it once, instantiate it, and launch it "
                 "for every row."},
    {"device-not-restored",
        "The caller finds another device current than before the call: remember "
        "cudaGetDevice() at the beginning, and cudaSetDevice() it at the end."},
    {"computed-on-host",
        "The words went through the host, or were computed there: kernels compute, "
        "and cudaMemcpyPeerAsync copies from one device to another."},
    {"device-idle", "A device had nothing to do: make it current (cudaSetDevice) before you create "
                    "its stream and launch."},
    {"peer-not-enabled", "The devices could reach each other's memory, and were not allowed to: "
                         "cudaDeviceEnablePeerAccess, once in each direction."},
    {"priority-backwards", "cudaDeviceGetStreamPriorityRange gives the least priority first, which "
                           "is the larger number. The lower number is the more urgent."},
    {"priority-unused", "One of the streams does not have the priority that was asked for: "
                        "cudaDeviceGetStreamPriorityRange gives the two ends, and "
                        "cudaStreamCreateWithPriority takes one of them as its last argument."},
    {"urgent-waits", "urgent has to overtake: queue background first, do not wait for it, and let "
                     "no event lie between them."},
    {"signal", "The host code crashed: it followed a pointer that leads nowhere. Was the argument "
               "of a host function freed, or did it end with the call, before the function ran?"},
    {"cuda-error", "A CUDA call failed, and its error is named above. Peer access that is enabled "
                   "already is no failure: take cudaErrorPeerAccessAlreadyEnabled for success, and "
                   "clear it with cudaGetLastError()."},
    {"copy-direction",
        "A copy does not fit its pointers: it goes beyond an array, or its kind says another "
        "direction. The last chunk is shorter than the others, behind it there may be none, and "
        "`buffers` has room for CHUNK_BUFFERS chunks."},
    {"empty-grid",
        "The grid has 0 blocks, which no launch may have. Where there are no words, or "
        "few are cut into many chunks, so that the last ones are empty, launch nothing."},
    {"below-the-gate",
        "The result is right, but the work waits. Do the chunks take turns in several streams, "
        "with no call that synchronises (cudaMemcpy does) between them, no memory that is not "
        "pinned, and nothing in the default stream?"},
    {"below-the-gate/hw6.4",
        "The result is right, but every row costs as much as its launches, or more. "
        "Is there one graph, made once, and launched for every row, with no call that waits in "
        "between?"},
    {NULL, NULL},
};

static const struct task tasks[] = {
    {
        .id = "hw6.1",
        .title = "a pipeline of chunks",
        .function = "pipeline",
        .points = {18, 10, 2},
        .check = check_pipeline,
        .speed = &pipeline_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw6.2",
        .title = "a diamond of dependencies, by events",
        .function = "run_diamond",
        .points = {15, 0, 2},
        .profile_case = "late-left",
        .check = check_diamond,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw6.3",
        .title = "a journal, written by host functions",
        .function = "keep_journal",
        .points = {13, 0, 2},
        .check = check_journal,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw6.4",
        .title = "a graph, captured once, launched often",
        .function = "run_chains",
        .points = {13, 10, 2},
        .check = check_chains,
        .speed = &chains_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw6.5",
        .title = "all devices, each a part",
        .function = "stir_everywhere",
        .points = {11, 0, 2},
        .check = check_everywhere,
        .diagnoses = diagnoses,
        .virtual_devices = 3,
    },
    {
        .id = "hw6.6",
        .title = "the urgent one first, by priority",
        .function = "run_urgently",
        .star = true,
        .check = check_urgently,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw6.7",
        .title = "the graph made by hand",
        .function = "run_chains_by_hand",
        .star = true,
        .check = check_chains_by_hand,
        .diagnoses = diagnoses,
    },
};

const struct homework homework = {
    .name = "hw6",
    .folder = "hw6_streams",
    .file = "streams.cu",
    .tasks = tasks,
    .task_count = LENGTH(tasks),
    .timeline = true,
    .banned = (const char *const[]){NULL},
};

Test(hw6, t1, .description = "hw6.1", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw6.1");
}

Test(hw6, t2, .description = "hw6.2", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw6.2");
}

Test(hw6, t3, .description = "hw6.3", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw6.3");
}

Test(hw6, t4, .description = "hw6.4", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw6.4");
}

Test(hw6, t5, .description = "hw6.5", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw6.5");
}

Test(hw6, t6, .description = "hw6.6", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw6.6");
}

Test(hw6, t7, .description = "hw6.7", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw6.7");
}

Test(hw6_speed, all, .timeout = SPEED_TIMEOUT_S)
{
    grade_speed();
}
