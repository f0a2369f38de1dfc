/* Thrust on plain device pointers. */
#include "../corpus.h"

#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

constexpr int N = 3000;

struct twice_plus {
    __host__ __device__ int operator()(int x, int y) const
    {
        return 2 * x + y;
    }
};

static void reduce_and_transform(void)
{
    static int in[N], got[N];
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += in[i] = (int)(scrambled((unsigned)i) % 1000);
    int *d_in = device_copy(in, N), *out = device_array<int>(N);
    thrust::device_ptr<int> from(d_in), to(out);
    EXPECT(thrust::reduce(from, from + N, 0, thrust::plus<int>()) == sum);
    thrust::transform(from, from + N, from, to, twice_plus());
    OK(cudaDeviceSynchronize());
    take(got, out, N);
    for (int i = 0; i < N; i++)
        EXPECT(got[i] == 3 * in[i]);
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

CORPUS_MAIN(CASE(reduce_and_transform))
