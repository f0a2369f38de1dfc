/* A homework's grader: reads its options, and supervises. The tests are in the homework's grader.c. */
#include <stdio.h>
#include <string.h>

#include "class.h"
#include "device_choice.h"
#include "direct.h"
#include "settings.h"
#include "supervisor.h"

int main(int argc, char **argv)
{
    const char *wrong = read_options(argc, argv);
    const char *mode = setting("MODE");

    if (wrong) {
        printf("%s: not an option of this grader, which are\n", wrong);
        print_options();
        return EXIT_FAULT;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (mode && strcmp(mode, "probe") == 0)
        return probe_main();
    if (mode && strcmp(mode, "class") == 0)
        return class_main();
    if (mode && strcmp(mode, "direct") == 0)
        return run_directly();
    return supervise();
}
