/* nvcc's log: the first error, its line and task, and what it means. */
#include "../compile_error.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/compile_error_XXXXXX", source[64], log_file[64];
static struct compile_error error;

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
    write_file(source, "// TODO(hw1.1): one\n    x\n// END(hw1.1)\ny\n// SOLVED(hw1.2)\nz\n");
}

static void teardown(void)
{
    unlink(source);
    unlink(log_file);
    rmdir(folder);
}

static bool ask(const char *log)
{
    write_file(log_file, log);
    return first_compile_error(log_file, source, &error);
}

TestSuite(compile_error, .init = setup, .fini = teardown);

Test(compile_error, names_the_line_its_text_and_its_task)
{
    cr_expect(ask("a.cu(2): error: expected a \";\"\n      x\n      ^\n\n1 error\n"));
    cr_expect_str_eq(error.message, "expected a \";\"");
    cr_expect_str_eq(error.file, "a.cu");
    cr_expect_eq(error.line, 2);
    cr_expect(error.in_source);
    cr_expect_str_eq(error.text, "x");
    cr_expect_str_eq(error.task, "hw1.1");
    cr_expect(strstr(error.likely, "semicolon") != NULL);
}

Test(compile_error, reads_the_host_compilers_form_and_solved_regions)
{
    cr_expect(ask("warning first\na.cu:6:3: error: 'z' was not declared in this scope\n"));
    cr_expect_str_eq(error.task, "hw1.2");
    cr_expect_str_eq(error.text, "z");
    cr_expect_str_eq(error.message, "'z' was not declared in this scope");
}

Test(compile_error, names_no_task_between_regions)
{
    cr_expect(ask("a.cu(4): error: no\n"));
    cr_expect_str_eq(error.task, "");
    cr_expect_str_eq(error.text, "y");
    cr_expect_null(error.likely);
}

Test(compile_error, an_error_without_a_line_names_no_task)
{
    cr_expect(ask("nvcc fatal   : Unsupported gpu architecture 'compute_30'\n"));
    cr_expect_str_eq(error.message, "Unsupported gpu architecture 'compute_30'");
    cr_expect_eq(error.line, 0);
    cr_expect_not(error.in_source);
    cr_expect_str_eq(error.task, "");
}

Test(compile_error, an_error_in_a_header_is_not_looked_up_in_the_source)
{
    cr_expect(ask("/opt/cuda/include/b.h(2): error: no\n"));
    cr_expect_str_eq(error.file, "/opt/cuda/include/b.h");
    cr_expect_eq(error.line, 2);
    cr_expect_not(error.in_source);
    cr_expect_str_eq(error.text, "");
    cr_expect_str_eq(error.task, "");
}

Test(compile_error, a_missing_semicolon_is_where_the_line_before_ends)
{
    write_file(source, "{\n    // TODO(hw1.1): one\n    int i = 0\n    // END(hw1.1)\n\n}\n");
    cr_expect(ask("a.cu(6): error: expected a \";\"\n"));
    cr_expect_eq(error.line, 3);
    cr_expect_str_eq(error.text, "int i = 0");
    cr_expect_str_eq(error.task, "hw1.1");
    cr_expect_str_eq(error.message, "expected a \";\", before line 6");
    write_file(source, "int f(void) {\n  if (1) {\n}\nint g(void)\n{\n}\n");
    cr_expect(ask("a.cu(5): error: expected a \";\"\n"));
    cr_expect_eq(error.line, 5);
    cr_expect(strstr(error.likely, "brace") != NULL);
    write_file(source, "int f(void) {\n  int i = 0;\n  i = 1 i = 2;\n}\n");
    cr_expect(ask("a.cu(3): error: expected a \";\"\n"));
    cr_expect_eq(error.line, 3);
}

Test(compile_error, a_message_goes_on_behind_its_colon)
{
    cr_expect(ask("a.cu(6): error: transfer of control bypasses initialization of:\n"
                  "            variable \"n\" (declared at line 9)\n  goto done\n"));
    cr_expect_str_eq(error.message, "transfer of control bypasses initialization of: "
                                    "variable \"n\" (declared at line 9)");
    cr_expect(ask("a.cu(6): error: because of:"));
    cr_expect_str_eq(error.message, "because of:");
}

Test(compile_error, names_are_shown_as_they_are_written)
{
    cr_expect(ask("ptxas fatal   : Unresolved extern function '_Z4plusff'\n"));
    cr_expect_str_eq(error.message, "Unresolved extern function 'plus(float, float)'");
    cr_expect(strstr(error.likely, "defined nowhere") != NULL);
    cr_expect(ask("ptxas fatal   : Unresolved extern function '_Zzz'\n"));
    cr_expect_str_eq(error.message, "Unresolved extern function '_Zzz'");
}

Test(compile_error, every_form_of_an_error)
{
    static const struct {
        const char *log, *message;
    } forms[] = {
        {"a.cu(2): error #20014-D: calling\n", "calling"},
        {"a.cu(2): catastrophic error: cannot open\n", "cannot open"},
        {"a.cu:1:10: fatal error: b.h: No such file or directory\n",
            "b.h: No such file or directory"},
        {"ptxas error   : Entry function uses too much shared data\n",
            "Entry function uses too much shared data"},
        {"ptxas fatal   : Unresolved extern function 'f'\n", "Unresolved extern function 'f'"},
        {"nvlink error   : Undefined reference to 'f'\n", "Undefined reference to 'f'"},
        {"/home/warning/warning.cu(2): error: no\n", "no"},
        {"error: nvcc was stopped after 300 s\n", "nvcc was stopped after 300 s"},
        {"/usr/bin/ld: a.o: in function `f': multiple definition of `f'\n"
         "collect2: error: ld returned 1 exit status\n",
            "multiple definition of `f'"},
    };

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        cr_expect(ask(forms[i].log), "%s", forms[i].log);
        cr_expect_str_eq(error.message, forms[i].message, "%s", error.message);
    }
}

Test(compile_error, warnings_are_no_errors)
{
    cr_expect_not(ask("a.cu(2): warning: unused\n"));
    cr_expect_not(ask("a.cu(2): warning #177-D: variable \"error\" was declared\n"));
    cr_expect_not(ask("a.cu:2:3: warning: in an error: path\n"));
    cr_expect_not(ask("Remark: The warnings can be suppressed with \"-diag-suppress\"\n"));
    cr_expect_not(ask("    cudaError_t error = cudaSuccess;\n"));
    cr_expect_not(ask(""));
    cr_expect_not(first_compile_error("/nonexistent", source, &error));
    cr_expect_not(first_compile_error(NULL, source, &error));
}

Test(compile_error, a_warning_before_the_error_is_passed_over)
{
    cr_expect(ask("a.cu(2): warning #177-D: variable \"x\" was declared\n    int error = 0;\n"
                  "a.cu(6): error: identifier \"q\" is undefined\n"));
    cr_expect_eq(error.line, 6);
}

Test(compile_error, a_long_message_is_cut_not_overrun)
{
    char *log = malloc(20000);

    memset(log, 'x', 20000);
    memcpy(log, "a.cu(2): error: ", 16);
    log[19999] = '\0';
    cr_expect(ask(log));
    cr_expect_eq(strlen(error.message), sizeof error.message - 1);
    free(log);
}

Test(compile_error, a_limit_of_the_compiler)
{
    cr_assert(ask("error: the compiler was stopped after 180 s\n\na.cu(2): error: x\n"));
    cr_assert(compiler_was_stopped(&error));
    cr_assert(ask("a.cu(2): error: the compiler was stopped\n"));
    cr_assert_not(compiler_was_stopped(&error));
}

Test(compile_error, a_missing_source_is_no_crash)
{
    write_file(log_file, "a.cu(2): error: no\n");
    cr_expect(first_compile_error(log_file, "/nonexistent/a.cu", &error));
    cr_expect_str_eq(error.text, "");
}
