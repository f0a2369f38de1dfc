/* nvcc's log: the first error, and the task that its line lies in. */
#include "../compile_error.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/compile_error_XXXXXX", source[64], log_file[64];

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

static void setup(void)
{
    cr_assert_not_null(mkdtemp(folder));
    snprintf(source, sizeof source, "%s/a.cu", folder);
    snprintf(log_file, sizeof log_file, "%s/a.log", folder);
    write_file(source, "// TODO(hw1.1): one\nx\n// END(hw1.1)\ny\n// SOLVED(hw1.2)\nz\n");
}

static void teardown(void)
{
    unlink(source);
    unlink(log_file);
    rmdir(folder);
}

static bool ask(const char *log, char *text, char *task)
{
    write_file(log_file, log);
    return first_compile_error(log_file, source, text, 400, task, 32);
}

TestSuite(compile_error, .init = setup, .fini = teardown);

Test(compile_error, names_the_task_of_nvccs_line)
{
    char text[400], task[32];

    cr_expect(ask("a.cu(2): error: expected a \";\"\n  x\n  ^\n\n1 error\n", text, task));
    cr_expect_str_eq(task, "hw1.1");
    cr_expect_str_eq(text, "a.cu(2): error: expected a \";\"\n  x\n  ^\n");
}

Test(compile_error, reads_the_host_compilers_form_and_solved_regions)
{
    char text[400], task[32];

    cr_expect(ask("warning first\na.cu:6:3: error: 'z' was not declared\n", text, task));
    cr_expect_str_eq(task, "hw1.2");
}

Test(compile_error, names_no_task_between_regions)
{
    char text[400], task[32];

    cr_expect(ask("a.cu(4): error: no\n", text, task));
    cr_expect_str_eq(task, "");
}

Test(compile_error, an_error_without_a_line_names_no_task)
{
    char text[400], task[32];

    cr_expect(ask("nvcc fatal error: out of memory\n", text, task));
    cr_expect_str_eq(task, "");
}

Test(compile_error, warnings_alone_are_no_error)
{
    char text[400], task[32];

    cr_expect_not(ask("a.cu(2): warning: unused\n", text, task));
    cr_expect_not(first_compile_error("/nonexistent", source, text, 400, task, 32));
}

Test(compile_error, a_long_message_is_cut_not_overrun)
{
    char *log = malloc(20000), text[64], task[32];

    memset(log, 'x', 20000);
    memcpy(log, "a.cu(2): error: ", 16);
    log[19999] = '\0';
    write_file(log_file, log);
    cr_expect(first_compile_error(log_file, source, text, sizeof text, task, 32));
    cr_expect_eq(strlen(text), 63);
    free(log);
}

Test(compile_error, a_limit_of_the_compiler)
{
    char text[400], task[32];

    cr_assert(
        ask("error: the compiler was stopped after 180 s\n\na.cu(2): error: x\n", text, task));
    cr_assert(compiler_was_stopped(text));
    cr_assert(ask("a.cu(2): error: the compiler was stopped\n", text, task));
    cr_assert_not(compiler_was_stopped(text));
}
