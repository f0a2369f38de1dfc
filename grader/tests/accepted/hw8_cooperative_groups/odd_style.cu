// 作业：奇怪但是正确的写法。Right, in a style of its own: tabs, CRLF, Chinese comments, a helper
// file beside it, a printf left in a kernel, a second stream that is waited for, a main().
#include "../odd_helper.cuh"
#include <algorithm>
#include <vector>
using namespace std;

#include "cuda_try.h"
#include <cooperative_groups.h>
#include <limits.h>

namespace cg = cooperative_groups;

// ---- hw8.1: rank 0 adds up what all have written ----

template <typename Group> static __device__ int add_for_all(Group group, int *values, int value)
{
	int sum = 0;
	values[group.thread_rank()] = value;
	group.sync();
	if (group.thread_rank() == 0)
		for (unsigned k = 0; k < group.size(); k++)
			sum += values[k];
	group.sync();
	return sum;
}

static __global__ void groups(const int *in, int *out, size_t n, unsigned size, bool whole)
{
	__shared__ int values[1024];
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	int value = 0, sum;
	if (i < n)
		value = in[i];
	if (whole)
		sum = add_for_all(cg::this_thread_block(), values, value);
	else
		sum = add_for_all(cg::tiled_partition(cg::this_thread_block(), size),
			&values[threadIdx.x - threadIdx.x % size], value);
	if (i < n && threadIdx.x % size == 0)
		out[i / size] = sum;
}

extern "C" cudaError_t sum_groups(
	const int *in, int *out, size_t n, struct division division, cudaStream_t stream)
{
	if (n == 0)
		return cudaSuccess;
	odd::look_around(stream), groups<<<(unsigned)ceil_div(n, division.block), division.block, 0, stream>>>(
		in, out, n, division.group, division.group == division.block);
	return cudaGetLastError();
}

// ---- hw8.2: every lane asks every other ----

template <unsigned SIZE> static __global__ void tiles(const int *in, int *out, size_t n)
{
	auto tile = cg::tiled_partition<SIZE>(cg::this_thread_block());
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	int value = i < n ? in[i] : 0, sum = 0;
	for (unsigned k = 0; k < SIZE; k++)
		sum += tile.shfl(value, k);
	if (i < n && i % SIZE == 0)
		out[i / SIZE] = sum;
}

extern "C" cudaError_t sum_tiles(const int *in, int *out, size_t n, unsigned tile, cudaStream_t stream)
{
	unsigned blocks = (unsigned)ceil_div(n, 32);
	if (tile != 1 && tile != 2 && tile != 4 && tile != 8 && tile != 16 && tile != 32)
		return cudaErrorInvalidValue;
	if (n == 0)
		return cudaSuccess;
	if (tile == 1)
		tiles<1><<<blocks, 32, 0, stream>>>(in, out, n);
	else if (tile == 2)
		tiles<2><<<blocks, 32, 0, stream>>>(in, out, n);
	else if (tile == 4)
		tiles<4><<<blocks, 32, 0, stream>>>(in, out, n);
	else if (tile == 8)
		tiles<8><<<blocks, 32, 0, stream>>>(in, out, n);
	else if (tile == 16)
		tiles<16><<<blocks, 32, 0, stream>>>(in, out, n);
	else
		odd::look_around(stream), tiles<32><<<blocks, 32, 0, stream>>>(in, out, n);
	return cudaGetLastError();
}

// ---- hw8.3: bucket after bucket, each with a vote ----

static __global__ void clear(int *sums)
{
	sums[threadIdx.x] = 0;
}

static __global__ void buckets(const int *bucket, const int *value, int *sums, size_t n)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	int mine = i < n ? bucket[i] : -1, what = i < n ? value[i] : 0;
	for (int b = 0; b < BUCKETS; b++) {
		unsigned who = __ballot_sync(0xffffffff, mine == b);
		int sum = mine == b ? what : 0;
		for (int offset = 16; offset > 0; offset /= 2)
			sum += __shfl_down_sync(0xffffffff, sum, offset);
		if (who != 0 && threadIdx.x % 32 == 0)
			atomicAdd(&sums[b], sum);
	}
}

extern "C" cudaError_t sum_buckets(
	const int *bucket, const int *value, int *sums, size_t n, cudaStream_t stream)
{
	clear<<<1, BUCKETS, 0, stream>>>(sums);
	if (n > 0)
		odd::look_around(stream), buckets<<<(unsigned)ceil_div(n, 128), 128, 0, stream>>>(bucket, value, sums, n);
	return cudaGetLastError();
}

// ---- hw8.4: several small blocks an SM, and the halo as cells of their own ----

static __global__ void steps_of(
	const float *in, float *out, size_t n, unsigned each, unsigned steps, float *edges)
{
	extern __shared__ float cells[]; // now: each, next: each
	__shared__ float left, right;
	cg::grid_group grid = cg::this_grid();
	size_t first = blockIdx.x * (size_t)each;
	unsigned count = (unsigned)(n - first < each ? n - first : each);

	for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
		cells[i] = in[first + i];
	__syncthreads();
	for (unsigned step = 0; step < steps; step++) {
		float *now = step % 2 ? cells + each : cells, *next = step % 2 ? cells : cells + each;
		float *set = edges + (step % 2) * 2 * gridDim.x; // all lefts, then all rights
		if (threadIdx.x == 0) {
			set[blockIdx.x] = now[0];
			set[gridDim.x + blockIdx.x] = now[count - 1];
		}
		grid.sync();
		if (threadIdx.x == 0) {
			left = blockIdx.x == 0 ? 0 : set[gridDim.x + blockIdx.x - 1];
			right = blockIdx.x == gridDim.x - 1 ? 0 : set[blockIdx.x + 1];
		}
		__syncthreads();
		for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
			float before = i == 0 ? left : now[i - 1], after = i == count - 1 ? right : now[i + 1];
			if (first + i == 0 || first + i == n - 1)
				next[i] = now[i];
			else
				next[i] = before / 2 + after / 2;
		}
		__syncthreads();
	}
	for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
		out[first + i] = cells[steps % 2 * each + i];
}

extern "C" cudaError_t jacobi(
	const float *in, float *out, size_t n, unsigned steps, void *scratch, cudaStream_t stream)
{
	cudaError_t status = cudaSuccess;
	cudaDeviceProp properties;
	int blocks_each = 0;
	unsigned each = 0, blocks = 0;
	void *arguments[] = {&in, &out, &n, &each, &steps, &scratch};

	CUDA_TRY(cudaGetDeviceProperties(&properties, 0));
	if (!properties.cooperativeLaunch)
		return cudaErrorNotSupported;
	if (n == 0)
		return cudaSuccess;
	each = (unsigned)ceil_div(n, (size_t)properties.multiProcessorCount * 2);
	if (each < 100)
		each = 100;
	blocks = (unsigned)ceil_div(n, each);
	CUDA_TRY(cudaFuncSetAttribute(
		steps_of, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)(2 * each * sizeof(float))));
	CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
		&blocks_each, steps_of, 512, 2 * each * sizeof(float)));
	if (blocks > (unsigned)(blocks_each * properties.multiProcessorCount))
		return cudaErrorInvalidConfiguration;
	CUDA_TRY(cudaLaunchCooperativeKernel((const void *)steps_of, dim3(blocks), dim3(512), arguments,
		2 * each * sizeof(float), stream));
done:
	return status;
}

// ---- hw8.5: a stretch a thread, and one thread that adds up for all ----

static __global__ void ordered(const int *in, int *out, unsigned *count, size_t n, unsigned *starts)
{
	cg::grid_group grid = cg::this_grid();
	size_t rank = grid.thread_rank(), each = (n + grid.size() - 1) / grid.size();
	size_t begin = rank * each < n ? rank * each : n;
	size_t end = begin + each < n ? begin + each : n;

	starts[rank] = 0;
	for (size_t i = begin; i < end; i++)
		if (in[i] > 0)
			starts[rank]++;
	grid.sync();
	if (rank == 0) {
		unsigned total = 0;
		for (size_t k = 0; k < grid.size(); k++) {
			unsigned kept = starts[k];
			starts[k] = total;
			total += kept;
		}
		*count = total;
	}
	grid.sync();
	for (size_t i = begin; i < end; i++)
		if (in[i] > 0)
			out[starts[rank]++] = in[i];
}

extern "C" cudaError_t compact_in_order(
	const int *in, int *out, unsigned *count, size_t n, void *scratch, cudaStream_t stream)
{
	void *arguments[] = {&in, &out, &count, &n, &scratch};
	return cudaLaunchCooperativeKernel(
		(const void *)ordered, dim3(8), dim3(256), arguments, 0, stream);
}

// ---- hw8.6: old distances and new ones, and a barrier after each thing ----

static __global__ void paths(
	struct graph graph, unsigned source, int *distance, int *old, int *changed)
{
	cg::grid_group grid = cg::this_grid();
	unsigned rank = (unsigned)grid.thread_rank(), threads = (unsigned)grid.size();
	bool again = true;

	for (unsigned v = rank; v < graph.vertices; v += threads)
		distance[v] = v == source ? 0 : INT_MAX;
	while (again) {
		grid.sync();
		if (rank == 0)
			*changed = 0;
		for (unsigned v = rank; v < graph.vertices; v += threads)
			old[v] = distance[v];
		grid.sync();
		for (unsigned e = rank; e < graph.edges; e += threads)
			if (old[graph.from[e]] != INT_MAX &&
				old[graph.from[e]] + graph.weight[e] < old[graph.to[e]]) {
				atomicMin(&distance[graph.to[e]], old[graph.from[e]] + graph.weight[e]);
				atomicExch(changed, 1);
			}
		grid.sync();
		again = *changed != 0;
	}
}

extern "C" cudaError_t shortest_paths(
	struct graph graph, unsigned source, int *distance, void *scratch, cudaStream_t stream)
{
	int *old = (int *)scratch, *changed = old + graph.vertices;
	void *arguments[] = {&graph, &source, &distance, &old, &changed};
	return cudaLaunchCooperativeKernel(
		(const void *)paths, dim3(8), dim3(512), arguments, 0, stream);
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
