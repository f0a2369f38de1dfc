/* Reading nvcc's log, finding the line and its task, and saying what the message means. */
#include "compile_error.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 2048 };

/* Of the C++ library, which every grader is linked with. */
extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *bytes, int *status);

/* Parts of messages of nvcc, the host compiler, ptxas and the linker; the first that occurs counts. */
static const struct {
    const char *part, *likely;
} meanings[] = {
    {"expected a \";\"", "A semicolon is missing: in this line, or at the end of the line before."},
    {"expected ';'", "A semicolon is missing: in this line, or at the end of the line before."},
    {"\"CUDA_TRY\" is undefined",
        "CUDA_TRY comes from a header: #include \"cuda_try.h\" at the top of the file."},
    {"\"done\" was referenced but not defined",
        "CUDA_TRY jumps to a label in the same function: write done: where its clean-up begins."},
    {"bypasses initialization", "CUDA_TRY jumps over a declaration that gives a value. Declare "
                                "every variable above the first CUDA_TRY."},
    {"transfer of control bypasses",
        "CUDA_TRY jumps over a declaration that gives a value. Declare "
        "every variable above the first CUDA_TRY."},
    {"__global__ function call must be configured",
        "A kernel is not called but launched, and a launch says how many blocks and threads: "
        "kernel<<<blocks, threads>>>(arguments)."},
    {"calling a __host__ function",
        "A kernel can call only functions that are compiled for the device. Write __device__ "
        "before that function's definition (__host__ __device__ if the host calls it, too)."},
    {"calling a __device__ function", "Host code called a function that is compiled for the device "
                                      "only: write __host__ __device__ before its definition."},
    {"cannot overload functions distinguished by return type", "The function does not return what "
                                                               "the contract's header declares."},
    {"linkage specification", "The function is declared otherwise in the contract's header: take "
                              "its line over from there, parameters and all."},
    {"\"main\" has already been defined",
        "There are two functions main(). A homework needs none: remove both."},
    {"has already been defined",
        "This name is defined twice: remove one of the two, or rename it."},
    {"redefinition of", "This name is defined twice: remove one of the two, or rename it."},
    {"multiple definition of", "This name is defined twice: remove one of the two, or rename it."},
    {"already declared in the current scope", "This name is declared twice: use the one that is "
                                              "there already, or choose another."},
    {"could not open source file",
        "#include names a file that is not there: look at its spelling."},
    {"cannot open source file", "#include names a file that is not there: look at its spelling."},
    {"No such file or directory", "#include names a file that is not there: look at its spelling."},
    {"is undefined", "This name is not known here. Is it spelled as where it is declared, declared "
                     "above this line and in the same braces, and is no #include missing?"},
    {"was not declared in this scope",
        "This name is not known here. Is it spelled as where it is declared, declared above this "
        "line and in the same braces, and is no #include missing?"},
    {"too few arguments", "The call gives fewer arguments than the function has parameters."},
    {"too many arguments", "The call gives more arguments than the function has parameters."},
    {"is incompatible with parameter of type",
        "An argument has another type than its parameter: look at their order, and at * and &."},
    {"cannot be used to initialize",
        "The value has another type than the variable: look at * and &."},
    {"cannot be assigned to", "The value has another type than what it is assigned to: look at * "
                              "and &."},
    {"must be a modifiable lvalue", "This cannot be assigned to: it is const, or no variable."},
    {"has no member",
        "The structure has no member of that name: its declaration says which it has."},
    {"has no field",
        "The structure has no member of that name: its declaration says which it has."},
    {"expected a \"}\"", "A brace is not closed, perhaps many lines above."},
    {"expected a declaration", "A brace closes too early, perhaps many lines above, so that this "
                               "line lies outside of every function."},
    {"expected a \")\"", "A bracket is not closed, in this line or just before it."},
    {"expected an expression", "A value is missing here, or a bracket, comma or semicolon is too "
                               "many."},
    {"uses too much shared data",
        "The arrays in shared memory of one kernel take more than 48 KB."},
    {"Unresolved extern function",
        "A function is declared and called, but it is defined nowhere in "
        "this file."},
    {"ndefined reference", "A function is declared and called, but it is defined nowhere in this "
                           "file."},
    {"it includes a file that is not its own",
        "In a class a file is made of what lies in its own folder, of the homework's contract and "
        "of the headers of toolkit and system: a helper's place is beside it."},
    {"a macro makes a directive",
        "An #include, or another line that begins with #, comes out of a macro, and would be "
        "followed unseen: write that line as it is. A raw string must have no "
        "such line, either: it cannot be told apart."},
    {"is UTF-16 text", "Save it as UTF-8: the editor asks for the encoding, or "
                       "iconv -f UTF-16 -t UTF-8 OLD.cu > NEW.cu."},
};

/* The word "error" or "fatal" that a message's colon follows: "error: ", "error #20-D: ", "fatal   : ".
 * Returns what stands behind the colon, or NULL. */
static const char *behind_mark(const char *word)
{
    const char *end = word + 5;

    while (*end == ' ' || *end == '#' || *end == '-' || *end == 'D' || isdigit((unsigned char)*end))
        end++;
    if (strncmp(end, "error", 5) == 0) /* "fatal error:" */
        return behind_mark(end);
    return *end == ':' ? end + 1 + strspn(end + 1, " ") : NULL;
}

/* Where the message begins in a line of the log, or NULL for a line that is no error. A file may be
 * called warning.cu. */
static const char *message_of(const char *line)
{
    for (const char *c = line; *c; c++) {
        const bool begins = c == line || isspace((unsigned char)c[-1]);
        if (begins && strncmp(c, "warning", 7) == 0 && strcspn(c + 7, ": #") == 0)
            break;
        if (begins && (strncmp(c, "error", 5) == 0 || strncmp(c, "fatal", 5) == 0)) {
            const char *message = behind_mark(c);
            if (message && strncmp(message, "ld returned", 11) != 0)
                return message;
        }
    }
    return strstr(line, "multiple definition of"); /* the linker */
}

static void copy_until(char *text, size_t bytes, const char *from, const char *end)
{
    const size_t length = (size_t)(end - from);
    snprintf(text, bytes, "%.*s", (int)(length < bytes ? length : bytes - 1), from);
}

/* "file.cu(12): error" by nvcc, "file.cu:12:5: error" by the host compiler. */
static void read_place(const char *line, const char *message, struct compile_error *error)
{
    for (const char *c = line; c < message; c++)
        if ((*c == '(' || *c == ':') && isdigit((unsigned char)c[1])) {
            error->line = (unsigned)atoi(c + 1);
            copy_until(error->file, sizeof error->file, line, c);
            return;
        }
}

/* "hw4.2" of a marker like TODO(hw4.2), or false. */
static bool opens(const char *line, char *task, size_t task_bytes)
{
    static const char *const marks[] = {"TODO(", "SOLVED("};

    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        const char *mark = strstr(line, marks[i]);
        if (!mark)
            continue;
        const char *id = mark + strlen(marks[i]);
        copy_until(task, task_bytes, id, id + strcspn(id, ")"));
        return true;
    }
    return false;
}

struct source_line {
    unsigned number;
    char text[LINE_BYTES]; /* without blanks at its beginning, and without its end */
    char task[32];         /* "" in no region */
};

static bool is_code(const char *text)
{
    return *text != '\0' && strncmp(text, "//", 2) != 0;
}

/* The line of that number, and the last line of code before it. A marker opens the region of a task
 * from its own line on; an END closes it. Both are empty where there is no such line. */
static void find_lines(
    const char *source_path, unsigned wanted, struct source_line *found, struct source_line *before)
{
    FILE *source = fopen(source_path, "r");
    char line[LINE_BYTES], task[sizeof found->task] = "";
    bool begins = true, closed = false;

    *found = *before = (struct source_line){.number = 0};
    for (unsigned number = 1; source && number <= wanted && fgets(line, sizeof line, source);) {
        if (closed)
            task[0] = '\0';
        closed = !opens(line, task, sizeof task) && strstr(line, "END(");
        if (begins && is_code(found->text))
            *before = *found;
        if (begins) {
            const char *text = line + strspn(line, " \t");
            copy_until(found->text, sizeof found->text, text, text + strcspn(text, "\r\n"));
            found->number = number;
        }
        snprintf(found->task, sizeof found->task, "%s", task);
        begins = strchr(line, '\n') != NULL;
        number += begins;
    }
    if (source)
        fclose(source);
    if (found->number != wanted)
        *found = *before = (struct source_line){.number = 0};
}

static void take_line(struct compile_error *error, const struct source_line *line)
{
    if (line->number > 0)
        error->line = line->number;
    snprintf(error->text, sizeof error->text, "%.*s", (int)sizeof error->text - 1, line->text);
    snprintf(error->task, sizeof error->task, "%s", line->task);
}

/* nvcc misses a semicolon where the next word stands: that is often the line below. */
static bool misses_semicolon(const char *message)
{
    return strstr(message, "expected a \";\"") || strstr(message, "expected ';'");
}

static bool is_unfinished(const struct source_line *line)
{
    const size_t length = strlen(line->text);
    return line->number > 0 && length > 0 && strchr(";{}:,", line->text[length - 1]) == NULL &&
           line->text[0] != '#';
}

/* Finds the line, its task and what the message means there. */
static void look_at_source(const char *source_path, struct compile_error *error)
{
    struct source_line line, before;

    find_lines(source_path, error->line, &line, &before);
    if (misses_semicolon(error->message) && line.text[0] == '{')
        error->likely = "A brace is not closed, perhaps many lines above: here a function seems to "
                        "begin inside of another.";
    if (misses_semicolon(error->message) && line.text[0] != '{' && is_unfinished(&before)) {
        const size_t length = strlen(error->message);
        snprintf(error->message + length, sizeof error->message - length, ", before line %u",
            error->line);
        error->likely = "A semicolon is missing at the end of this line.";
        line = before;
    }
    take_line(error, &line);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* What follows a colon stands on the next line: "bypasses initialization of:". */
static void continue_message(FILE *log, char *message, size_t bytes)
{
    char line[LINE_BYTES];
    const size_t length = strlen(message);

    if (length == 0 || message[length - 1] != ':' || !fgets(line, sizeof line, log))
        return;
    const char *rest = line + strspn(line, " \t");
    snprintf(message + length, bytes - length, " %.*s", (int)strcspn(rest, "\r\n"), rest);
}

/* "_Z4plusff" of ptxas is "plus(float, float)" in the file. */
static void replace_mangled_names(char *message, size_t bytes)
{
    char rest[LINE_BYTES], name[LINE_BYTES];
    char *mangled = strstr(message, "_Z");
    int status = -1;

    if (!mangled)
        return;
    const size_t length = strspn(mangled, "_$.0123456789abcdefghijklmnopqrstuvwxyz"
                                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    copy_until(name, sizeof name, mangled, mangled + length);
    copy_until(rest, sizeof rest, mangled + length, mangled + strlen(mangled));
    char *plain = __cxa_demangle(name, NULL, NULL, &status);
    if (plain && status == 0)
        snprintf(mangled, bytes - (size_t)(mangled - message), "%s%s", plain, rest);
    free(plain);
}

static const char *meaning_of(const char *message)
{
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
        if (strstr(message, meanings[i].part))
            return meanings[i].likely;
    return NULL;
}

bool first_compile_error(const char *log_path, const char *source_path, struct compile_error *error)
{
    FILE *log = log_path ? fopen(log_path, "r") : NULL;
    const char *message = NULL;
    char line[LINE_BYTES];

    *error = (struct compile_error){.line = 0};
    while (log && !message && fgets(line, sizeof line, log))
        message = message_of(line);
    if (message) {
        read_place(line, message, error);
        copy_until(
            error->message, sizeof error->message, message, message + strcspn(message, "\r\n"));
        continue_message(log, error->message, sizeof error->message);
    }
    if (log)
        fclose(log);
    if (!message)
        return false;
    replace_mangled_names(error->message, sizeof error->message);
    error->likely = meaning_of(error->message);
    error->in_source = strcmp(base_name(error->file), base_name(source_path)) == 0;
    if (error->in_source)
        look_at_source(source_path, error);
    return true;
}

bool compiler_was_stopped(const struct compile_error *error)
{
    static const char word[] = "the compiler was stopped";
    return error->line == 0 && strncmp(error->message, word, sizeof word - 1) == 0;
}
