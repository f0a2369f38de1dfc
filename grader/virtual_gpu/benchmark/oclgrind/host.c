/* Runs one of kernels.cl once, and checks its result: host KERNELS vector_add COUNT, or
 * host KERNELS matrix_multiply ORDER.  Made for oclgrind; any OpenCL device will do.
 * Exit code 1: an OpenCL call failed, or the result is wrong. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256, TILE = 16, SOURCE_BYTES_MAX = 16384 };

static void must(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: OpenCL error %d\n", what, status);
    exit(1);
}

/* Small integers, so that sums are exact. */
static float left_value(size_t i)
{
    return (float)(i % 31);
}

static float right_value(size_t i)
{
    return (float)(i % 29);
}

static float wanted_sum(size_t i, size_t count)
{
    (void)count;
    return left_value(i) + right_value(i);
}

static float wanted_product(size_t i, size_t order)
{
    const size_t row = i / order, column = i % order;
    long sum = 0;
    for (size_t k = 0; k < order; k++)
        sum += (long)left_value(row * order + k) * (long)right_value(k * order + column);
    return (float)sum;
}

static float *floats(size_t count, float (*value)(size_t))
{
    float *all = malloc(count * sizeof *all);
    must(all == NULL ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS, "malloc");
    for (size_t i = 0; i < count; i++)
        all[i] = value == NULL ? 0 : value(i);
    return all;
}

/* The program of a file, built for the device. */
static cl_program built(cl_context context, cl_device_id device, const char *path)
{
    static char source[SOURCE_BYTES_MAX];
    FILE *file = fopen(path, "r");
    if (file == NULL || fread(source, 1, sizeof source - 1, file) == 0) {
        perror(path);
        exit(1);
    }
    fclose(file);
    const char *text = source;
    cl_int status;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    must(status, "clCreateProgramWithSource");
    must(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    return program;
}

/* Runs kernel(left, right, out, size) over `dimensions` of `global`; fills `out`. */
static void run(const char *path, const char *name, cl_uint size, cl_uint dimensions,
    const size_t *global, const size_t *local, float *const host[3], size_t bytes)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    must(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    must(status, "clCreateCommandQueue");
    cl_program program = built(context, device, path);
    cl_kernel kernel = clCreateKernel(program, name, &status);
    must(status, "clCreateKernel");

    cl_mem buffers[3];
    for (cl_uint i = 0; i < 3; i++) {
        buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
        must(status, "clCreateBuffer");
        must(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), "clSetKernelArg");
        if (i < 2)
            must(clEnqueueWriteBuffer(queue, buffers[i], CL_TRUE, 0, bytes, host[i], 0, NULL, NULL),
                "clEnqueueWriteBuffer");
    }
    must(clSetKernelArg(kernel, 3, sizeof size, &size), "clSetKernelArg");
    must(clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, global, local, 0, NULL, NULL),
        "clEnqueueNDRangeKernel");
    must(clFinish(queue), "clFinish");
    must(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, bytes, host[2], 0, NULL, NULL),
        "clEnqueueReadBuffer");

    for (int i = 0; i < 3; i++)
        clReleaseMemObject(buffers[i]);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

int main(int argc, char **argv)
{
    const unsigned long size = argc == 4 ? strtoul(argv[3], NULL, 10) : 0;
    const bool multiplies = argc == 4 && strcmp(argv[2], "matrix_multiply") == 0;
    if (size == 0 || size % (multiplies ? TILE : BLOCK) != 0) {
        fprintf(stderr, "usage: host KERNELS vector_add|matrix_multiply SIZE\n");
        return 1;
    }
    const size_t count = multiplies ? size * size : size;
    const size_t plane[] = {size, size}, tile[] = {TILE, TILE}, block[] = {BLOCK};
    float *host[] = {floats(count, left_value), floats(count, right_value), floats(count, NULL)};
    run(argv[1], argv[2], (cl_uint)size, multiplies ? 2 : 1, plane, multiplies ? tile : block, host,
        count * sizeof(float));
    bool is_right = true;
    for (size_t i = 0; i < count; i++)
        is_right =
            is_right && host[2][i] == (multiplies ? wanted_product(i, size) : wanted_sum(i, size));
    for (int i = 0; i < 3; i++)
        free(host[i]);
    if (!is_right)
        fprintf(stderr, "the result is wrong\n");
    return is_right ? 0 : 1;
}
