/* What the command line asks for. The grader hands it to its test processes, which are started
 * anew and share no memory with it, through the environment: option --task is GRADER_TASK. */
#ifndef GRADER_SETTINGS_H
#define GRADER_SETTINGS_H

#include <stdint.h>

/* The value of option `name` ("TASK"), or NULL if it was not given or is empty. */
const char *setting(const char *name);

/* From now on setting() answers as it does now, whatever becomes of the environment. Every test does
 * this before it opens the candidate. */
void freeze_settings(void);

void set_setting(const char *name, const char *value);

/* The seed of the run in hexadecimal: SEED=, or the one that everybody knows. */
#define DEFAULT_SEED_TEXT "7f3a"
const char *seed_text(void);
uint64_t seed_number(void);

/* Reads --name=value arguments.  Returns NULL, or the first argument that is not an option. */
const char *read_options(int argc, char **argv);

/* One line an option, for --help. */
void print_options(void);

#endif
