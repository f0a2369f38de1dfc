/* Running the tasks directly. */
#include "direct.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "device_choice.h"
#include "profile.h"
#include "settings.h"
#include "supervisor.h"
#include "text.h"
#include "virtual_calls.h"
#include "worker.h"

/* The virtual GPU takes the place of the runtime when a program is loaded: this one is loaded anew.
 * Its options travel in the environment. */
static void start_again(void)
{
    execl("/proc/self/exe", "grader", (char *)NULL);
    perror("the grader cannot start again");
    exit(EXIT_FAULT);
}

int run_directly(void)
{
    enum verdict verdicts[16];
    const char *diagnosis;
    size_t count = 0;

    if (!task_exists())
        return EXIT_FAULT;
    if (!has_compiled(setting("FILE"), &diagnosis))
        return EXIT_POINTS_MISSING;
    if (profile_needs_no_device())
        return profile_without_device();
    const struct device_facts device = choose_device(setting("DEVICE"));
    if (!device.usable) {
        printf("%s\n", device.problem);
        return EXIT_NO_DEVICE;
    }
    if (device.is_virtual && !virtual_calls()->now_ns)
        start_again();
    if (setting("PROFILE"))
        return profile_on_device(&device);
    for (size_t i = 0; i < homework.task_count && count < 16; i++) {
        struct outcome outcome;
        if (!task_chosen(&homework.tasks[i]))
            continue;
        printf("%s  %s\n", homework.tasks[i].id, homework.tasks[i].title);
        judge_task(&homework.tasks[i], &outcome);
        if (outcome.verdict != NOT_ATTEMPTED || !setting("TRY")) /* trying one task is enough */
            verdicts[count++] = outcome.verdict;
        if (outcome.verdict == NOT_ATTEMPTED)
            printf("  not attempted yet: it returns cudaErrorNotYetImplemented\n");
        else if (outcome.verdict != PASS) {
            print_field("found", verdict_name(outcome.verdict));
            print_field("", outcome.first);
            print_field("likely", outcome.cause);
        }
    }
    return setting("TRY") && count == 0 ? EXIT_PASS : exit_code_of(verdicts, count);
}
