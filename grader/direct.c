/* Running the tasks directly. */
#include "direct.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device_choice.h"
#include "diagnosis.h"
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

/* ---- a crash -------------------------------------------------------------------------------- */

static const struct task *running;

/* Nobody waits for this process who could say it. What follows can be no worse. */
static void say_crash(int signal_number)
{
    char text[100];

    signal(signal_number, SIG_DFL);
    snprintf(text, sizeof text, "the program ended by signal %d (%s)", signal_number,
        strsignal(signal_number));
    print_field("found", verdict_name(CRASHED));
    print_field("", text);
    print_field("likely", diagnosis_cause(signal_number == SIGFPE ? "division-by-zero" : "signal",
                              running ? running->diagnoses : NULL));
    fflush(stdout);
    _exit(EXIT_POINTS_MISSING);
}

/* Before the virtual GPU starts, which watches for such signals itself and passes on what is not
 * its own. */
static void watch_for_crashes(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], say_crash);
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
    enum verdict verdicts[TASKS_MAX];
    const char *diagnosis;
    size_t count = 0;

    if (!task_exists())
        return EXIT_FAULT;
    if (!has_compiled(setting("FILE"), &diagnosis))
        return EXIT_POINTS_MISSING;
    watch_for_crashes();
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
    for (size_t i = 0; i < homework.task_count && count < TASKS_MAX; i++) {
        struct outcome outcome;
        if (!task_chosen(&homework.tasks[i]))
            continue;
        printf("%s  %s\n", homework.tasks[i].id, homework.tasks[i].title);
        running = &homework.tasks[i];
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
        } else if (setting("TRY") && !outcome.shown) {
            print_field("right", "what was tried; it has no arrays to show");
        }
        if (outcome.verdict == TIMED_OUT) /* the device may not be fit for another task */
            break;
    }
    return setting("TRY") && count == 0 ? EXIT_PASS : exit_code_of(verdicts, count);
}
