// 作业：奇怪但是正确的写法。Right, in a style of its own: tabs, CRLF, Chinese comments, a helper
// file beside it, a printf left in a kernel, a second stream that is waited for, a main().
#include "../odd_helper.cuh"
#include <algorithm>
#include <vector>
using namespace std;

#include "cuda_try.h"

__global__ void add_steps(
	const float *a, const float *b, float *sum, unsigned long long first, unsigned long long n)
{
	unsigned long long all = (unsigned long long)gridDim.x * (unsigned long long)blockDim.x;
	unsigned long long me = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
	for (unsigned long long step = 0;; step++) {
		unsigned long long i = step * all + me;
		if (i >= n)
			break;
		float x = a[first + i];
		float y = b[first + i];
		sum[first + i] = x + y;
	}
}

extern "C" cudaError_t add_under_launch(const float *a, const float *b, float *sum, struct span span,
	struct launch launch, cudaStream_t stream)
{
	dim3 grid(launch.blocks, 1, 1), block(launch.threads, 1, 1);
	add_steps<<<grid, block, 0, stream>>>(a, b, sum, span.first, span.count);
	return cudaGetLastError();
}

// The smallest block, from 128 threads up, that can fill an SM. Four times as many as the GPU holds,
// so that an SM that is done first gets more; less if n needs less.
extern "C" cudaError_t choose_launch(const struct gpu *gpu, size_t n, struct launch *launch)
{
	unsigned threads = 128, fitting = 0;
	while (threads <= gpu->threads_per_block) {
		fitting = gpu->threads_per_sm / threads;
		if (fitting > gpu->blocks_per_sm)
			fitting = gpu->blocks_per_sm;
		if (fitting * threads == gpu->threads_per_sm)
			break;
		threads += 32;
	}
	launch->threads = threads;
	size_t blocks = n / threads;
	if (blocks * threads < n)
		blocks++;
	if (blocks < 1)
		blocks = 1;
	if (blocks > (size_t)4 * fitting * gpu->sms)
		blocks = (size_t)4 * fitting * gpu->sms;
	launch->blocks = (unsigned)blocks;
	return cudaSuccess;
}

// Moves a warp into the part of the registers that has most left. False: no part has enough.
static bool place_warp(unsigned *left, unsigned parts, unsigned needed)
{
	unsigned best = 0;
	for (unsigned p = 1; p < parts; p++)
		if (left[p] > left[best])
			best = p;
	if (left[best] < needed)
		return false;
	left[best] -= needed;
	return true;
}

extern "C" cudaError_t count_resident(
	const struct gpu *gpu, const struct block_needs *needs, struct residency *found)
{
	unsigned left[64], warps = 0, blocks = 0, warps_used = 0, shared_left = gpu->shared_per_sm;
	unsigned a_warp = 0, bytes = 0;

	if (needs->threads < 1)
		return cudaErrorInvalidValue;
	for (unsigned t = 0; t < needs->threads; t += 32)
		warps++;
	for (unsigned p = 0; p < gpu->schedulers; p++)
		left[p] = gpu->registers_per_sm / gpu->schedulers;
	while (a_warp < 32 * needs->registers)
		a_warp += gpu->register_unit;
	while (bytes < needs->shared_bytes + gpu->shared_reserved)
		bytes += gpu->shared_unit;
	for (;; blocks++) {
		found->blocks = blocks;
		found->limiter = LIMITED_BY_WARPS;
		if (needs->threads > gpu->threads_per_block ||
			(warps_used + warps) * 32 > gpu->threads_per_sm)
			return cudaSuccess;
		found->limiter = LIMITED_BY_BLOCKS;
		if (blocks == gpu->blocks_per_sm)
			return cudaSuccess;
		found->limiter = LIMITED_BY_REGISTERS;
		for (unsigned w = 0; w < warps; w++)
			if (!place_warp(left, gpu->schedulers, a_warp))
				return cudaSuccess;
		found->limiter = LIMITED_BY_SHARED;
		if (needs->shared_bytes > gpu->shared_per_block || bytes > shared_left)
			return cudaSuccess;
		warps_used += warps;
		shared_left -= bytes;
	}
}

// 256 particles through shared memory: neighbouring floats in, neighbouring floats out.
__global__ void split_by_shared(const float *in, struct columns out, size_t n)
{
	__shared__ float staged[1024];
	const size_t start = blockIdx.x * (size_t)256;
	int t = threadIdx.x;

	for (int k = 0; k < 4; k++)
		if (start * 4 + k * 256 + t < n * 4)
			staged[k * 256 + t] = in[start * 4 + k * 256 + t];
	__syncthreads();
	if (start + t >= n)
		return;
	out.x[start + t] = staged[4 * t];
	out.y[start + t] = staged[4 * t + 1];
	out.z[start + t] = staged[4 * t + 2];
	out.mass[start + t] = staged[4 * t + 3];
}

extern "C" cudaError_t split_particles(
	const struct particle *in, struct columns out, size_t n, cudaStream_t stream)
{
	if (n == 0)
		return cudaSuccess;
	odd::look_around(stream), split_by_shared<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>((const float *)in, out, n);
	return cudaGetLastError();
}

// Four warps a block: each takes every fourth row of the tile, and then every fourth column.
__global__ void transpose_32(const float *in, float *out, int rows, int columns)
{
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32 + threadIdx.x;
	int y = blockIdx.y * 32 + threadIdx.y;

#pragma unroll
	for (int k = 0; k < 32; k += 4) {
		if (x < columns) {
			if (y + k < rows)
				tile[threadIdx.y + k][threadIdx.x] = in[(size_t)(y + k) * columns + x];
		}
	}
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
	for (int k = 0; k < 32; k += 4) {
		if (x < rows) {
			if (y + k < columns)
				out[(size_t)(y + k) * rows + x] = tile[threadIdx.x][threadIdx.y + k];
		}
	}
}

extern "C" cudaError_t transpose(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
	if (shape.rows * shape.columns == 0)
		return cudaSuccess;
	dim3 grid((unsigned)(shape.columns + 31) / 32, (unsigned)(shape.rows + 31) / 32);
	odd::look_around(stream), transpose_32<<<grid, dim3(32, 4), 0, stream>>>(in, out, (int)shape.rows, (int)shape.columns);
	return cudaGetLastError();
}

__global__ void copy_some(const float *from, float *to, size_t n)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < n)
		to[i] = from[i];
}

// A thread for each vector, and behind them one for each float that is left over.
__global__ void copy_some_vectors(
	const float *from, float *to, size_t n, unsigned before, size_t vectors)
{
	const float4 *from4 = (const float4 *)(from + before);
	float4 *to4 = (float4 *)(to + before);
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

	if (i < vectors) {
		to4[i] = from4[i];
		return;
	}
	i -= vectors;
	if (i >= before)
		i += 4 * vectors;
	if (i < n)
		to[i] = from[i];
}

extern "C" cudaError_t copy_floats(const float *from, float *to, size_t n, cudaStream_t stream)
{
	unsigned before = 0;

	if (n == 0)
		return cudaSuccess;
	if ((size_t)from % 16 != (size_t)to % 16) {
		odd::look_around(stream), copy_some<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(from, to, n);
		return cudaGetLastError();
	}
	while (before < n && (size_t)(to + before) % 16 != 0)
		before++;
	size_t vectors = (n - before) / 4;
	size_t threads = vectors + (n - 4 * vectors);
	odd::look_around(stream), copy_some_vectors<<<(unsigned)((threads + 511) / 512), 512, 0, stream>>>(
		from, to, n, before, vectors);
	return cudaGetLastError();
}

/* 自己的测试程序，评分时不会调用。 */
int main(int argc, char **argv)
{
	vector<int> numbers(argc, 1);
	auto sum = 0;
	for_each(numbers.begin(), numbers.end(), [&](int x) { sum += x; });
	printf("%s: %d 个参数\n", argv[0], sum);
	return sum != argc;
}
