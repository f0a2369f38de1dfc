/* Probing the devices, and turning the test processes towards one. */
#define _GNU_SOURCE
#include "device_choice.h"

#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "settings.h"

enum { PROBE_LIMIT_S = 30 };

int probe_main(void)
{
    const struct device_facts facts = device_ask();
    return write(STDOUT_FILENO, &facts, sizeof facts) == (ssize_t)sizeof facts ? 0 : 1;
}

/* Leaves the facts as they are where no answer comes. Ends the process that was asked. */
static void take_answer(pid_t child, int end, struct device_facts *facts)
{
    struct pollfd ready = {end, POLLIN, 0};
    struct device_facts answer;

    if (poll(&ready, 1, PROBE_LIMIT_S * 1000) > 0 &&
        read(end, &answer, sizeof answer) == (ssize_t)sizeof answer)
        *facts = answer;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static struct device_facts probe(void)
{
    struct device_facts facts = {.usable = false};
    int ends[2];

    snprintf(facts.problem, sizeof facts.problem,
        "the CUDA runtime does not answer: make doctor says more");
    if (pipe2(ends, O_CLOEXEC) != 0)
        return facts;
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl("/proc/self/exe", "grader", "--mode=probe", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    if (child > 0) /* -1, where none was started, would stand for every process */
        take_answer(child, ends[0], &facts);
    close(ends[0]);
    return facts;
}

/* The loader looks for libcudart in the folder of the virtual GPU first, or not at all. */
bool use_virtual_gpu(bool use)
{
    static const char *own_path;
    static bool own_path_known;
    const char *folder = setting("VIRTUAL");
    char text[4096];
    glob_t found;

    if (!own_path_known) {
        own_path = getenv("LD_LIBRARY_PATH") ? strdup(getenv("LD_LIBRARY_PATH")) : NULL;
        own_path_known = true;
    }
    if (!use) {
        if (own_path)
            setenv("LD_LIBRARY_PATH", own_path, 1);
        else
            unsetenv("LD_LIBRARY_PATH");
        return true;
    }
    if (!folder)
        return false;
    snprintf(text, sizeof text, "%s/libcudart.so.*", folder);
    const bool built = glob(text, 0, NULL, &found) == 0;
    globfree(&found);
    snprintf(text, sizeof text, "%s%s%s", folder, own_path ? ":" : "", own_path ? own_path : "");
    if (built)
        setenv("LD_LIBRARY_PATH", text, 1);
    return built;
}

void use_virtual_devices(unsigned count)
{
    static const char variable[] = "VGPU_DEVICES";
    static const char *own_count;
    static bool own_count_known;
    char text[16];

    if (!own_count_known) {
        own_count = getenv(variable) ? strdup(getenv(variable)) : NULL;
        own_count_known = true;
    }
    snprintf(text, sizeof text, "%u", count);
    if (count > 0)
        setenv(variable, text, 1);
    else if (own_count)
        setenv(variable, own_count, 1);
    else
        unsetenv(variable);
}

struct device_facts choose_device(const char *wanted)
{
    struct device_facts facts = {.usable = false};

    wanted = wanted ? wanted : "auto";
    if (strcmp(wanted, "auto") != 0 && strcmp(wanted, "gpu") != 0 &&
        strcmp(wanted, "virtual") != 0) {
        snprintf(
            facts.problem, sizeof facts.problem, "DEVICE=%s: it is auto, gpu or virtual", wanted);
        return facts;
    }
    if (strcmp(wanted, "virtual") != 0) {
        facts = probe();
        if (!facts.usable && strcmp(wanted, "gpu") == 0)
            snprintf(facts.problem + strlen(facts.problem),
                sizeof facts.problem - strlen(facts.problem),
                "; without DEVICE=gpu the virtual GPU grades here");
        if (facts.usable || strcmp(wanted, "gpu") == 0)
            return facts;
    }
    if (use_virtual_gpu(true))
        return probe();
    if (!*facts.problem)
        snprintf(
            facts.problem, sizeof facts.problem, "the virtual GPU is not built: make builds it");
    return facts;
}
