// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=unwritten/outside-the-call task=any
// hw5: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=read-too-early/beginning-wrong/constant-offset|read-too-early task=any
// hw6: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=not-waited-for/unwritten/stops-early task=any
// Returns at once; a thread does the work a little later.
#include "grader/cheats/call.h"

#include <chrono>
#include <thread>

cudaError_t spoil(const struct call &call)
{
    std::thread([call] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        call.right();
    }).detach();
    return cudaSuccess;
}
