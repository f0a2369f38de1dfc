// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=share-in-per-cent task=hw7.5
// The share in per cent, where 1 is on the roof.
#include "cuda_try.h"

cudaError_t find_roofline_point(
    const struct product_run *run, const struct gpu_peaks *gpu, struct roofline_point *point)
{
    const double rows = (double)run->shape.rows, columns = (double)run->shape.columns;
    const double vectors = (double)run->vectors, elements = rows * columns;
    if (rows == 0 || columns == 0 || vectors == 0 || run->vectors_a_pass == 0)
        return cudaErrorInvalidValue;
    const double passes = (double)ceil_div(run->vectors, run->vectors_a_pass);
    point->bytes = 4 * (passes * elements + vectors * (rows + columns));
    point->operations = 2 * elements * vectors;
    point->intensity = point->operations / point->bytes;
    const double slope = point->intensity * gpu->bytes_per_second;
    const double peak = gpu->operations_per_second;
    point->attainable = slope < peak ? slope : peak;
    point->achieved_share = 100 * point->operations / run->seconds / point->attainable;
    return cudaSuccess;
}
