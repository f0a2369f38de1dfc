/* Running the tasks directly. */
#include "direct.h"

#include <stdio.h>
#include <string.h>

#include "device.h"
#include "settings.h"
#include "text.h"
#include "worker.h"

int run_directly(void)
{
    const struct device_facts device = device_ask();
    enum verdict verdicts[16];
    size_t count = 0;

    if (!device.usable) {
        printf("%s\n", device.problem);
        return EXIT_NO_DEVICE;
    }
    for (size_t i = 0; i < homework.task_count && count < 16; i++) {
        struct outcome outcome;
        if (!task_chosen(&homework.tasks[i]))
            continue;
        printf("%s  %s\n", homework.tasks[i].id, homework.tasks[i].title);
        judge_task(&homework.tasks[i], &outcome);
        verdicts[count++] = outcome.verdict;
        if (outcome.verdict == NOT_ATTEMPTED)
            printf("  not attempted yet\n");
        else if (outcome.verdict != PASS) {
            print_field("found", verdict_name(outcome.verdict));
            print_field("first", outcome.first);
            print_field("likely", outcome.cause);
        }
    }
    return exit_code_of(verdicts, count);
}
