/* Running the tasks directly. */
#include "direct.h"

#include <signal.h>
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

/* A tiny input is done in a moment: what takes longer does not end. */
enum { TRY_S = 20 };
static const char launch_s[] = "15"; /* of these; the virtual GPU then names the line */

static void stop_trying(int signal_number)
{
    static const char text[] =
        "  stopped  It did not end within 20 s: a kernel, a barrier or a loop of the host\n"
        "           waits for what never comes.\n";

    (void)signal_number;
    (void)!write(STDOUT_FILENO, text, sizeof text - 1);
    _exit(EXIT_POINTS_MISSING);
}

static void limit_trying(void)
{
    if (!setting("TRY"))
        return;
    signal(SIGALRM, stop_trying);
    alarm(TRY_S);
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
    if (setting("TRY"))
        setenv("VGPU_LAUNCH_S", launch_s, 0);
    if (device.is_virtual && !virtual_calls()->now_ns)
        start_again();
    if (setting("PROFILE"))
        return profile_on_device(&device);
    for (size_t i = 0; i < homework.task_count && count < 16; i++) {
        struct outcome outcome;
        if (!task_chosen(&homework.tasks[i]))
            continue;
        printf("%s  %s\n", homework.tasks[i].id, homework.tasks[i].title);
        limit_trying();
        judge_task(&homework.tasks[i], &outcome);
        alarm(0);
        if (outcome.verdict != NOT_ATTEMPTED || !setting("TRY")) /* trying one task is enough */
            verdicts[count++] = outcome.verdict;
        if (outcome.verdict == NOT_ATTEMPTED)
            printf("  not attempted yet: it returns cudaErrorNotYetImplemented\n");
        else if (outcome.verdict != PASS) {
            print_field("found", verdict_name(outcome.verdict));
            print_field("", outcome.first);
            print_field("likely", outcome.cause);
        }
        if (outcome.verdict == TIMED_OUT) /* the device may not be fit for another task */
            break;
    }
    return setting("TRY") && count == 0 ? EXIT_PASS : exit_code_of(verdicts, count);
}
