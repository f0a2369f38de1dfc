// 作业：奇怪但是正确的写法。Right, in a style of its own: tabs, CRLF, Chinese comments, a helper
// file beside it, a printf left in a kernel, a second stream that is waited for, a main().
#include "../odd_helper.cuh"
#include <algorithm>
#include <vector>
using namespace std;

#include "cuda_try.h"

#include <stdlib.h>
#include <string.h>

static __global__ void stir_kernel(unsigned *words, size_t n, unsigned rounds)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
		 i += gridDim.x * (size_t)blockDim.x)
		for (unsigned round = 0; round < rounds; round++)
			words[i] = (words[i] ^ words[i] >> 15) * 0x2c1b3c6du + 0x9e3779b9u;
}

static cudaError_t stir(unsigned *words, size_t n, unsigned rounds, cudaStream_t stream)
{
	if (n == 0)
		return cudaSuccess;
	stir_kernel<<<(unsigned)(n / 128 + 1), 128, 0, stream>>>(words, n, rounds);
	return cudaGetLastError();
}

// Chunks in groups of CHUNK_BUFFERS: all copies in of a group, then all kernels, then all copies out.
// n is divided as evenly as it goes, so that chunks differ by one word at most.
extern "C" cudaError_t pipeline(
	const unsigned *in, unsigned *out, unsigned *buffers, struct pipeline_shape shape)
{
	cudaError_t status = cudaSuccess;
	cudaStream_t streams[CHUNK_BUFFERS] = {NULL, NULL, NULL, NULL};
	const size_t room = ceil_div(shape.n, shape.chunks);
	size_t base = shape.n / shape.chunks, longer = shape.n % shape.chunks;

	for (int s = 0; s < CHUNK_BUFFERS; s++)
		CUDA_TRY(cudaStreamCreate(&streams[s]));
	for (size_t group = 0; group < shape.chunks; group += CHUNK_BUFFERS) {
		for (int phase = 0; phase < 3; phase++) {
			for (size_t c = group; c < group + CHUNK_BUFFERS && c < shape.chunks; c++) {
				size_t first = c * base + (c < longer ? c : longer);
				size_t count = base + (c < longer ? 1 : 0);
				unsigned *buffer = buffers + (c - group) * room;
				cudaStream_t stream = streams[c - group];
				if (count == 0)
					continue;
				if (phase == 0)
					CUDA_TRY(
						cudaMemcpyAsync(buffer, in + first, count * 4, cudaMemcpyDefault, stream));
				if (phase == 1)
					CUDA_TRY(stir(buffer, count, shape.rounds, stream));
				if (phase == 2)
					CUDA_TRY(
						cudaMemcpyAsync(out + first, buffer, count * 4, cudaMemcpyDefault, stream));
			}
		}
	}
	CUDA_TRY(cudaDeviceSynchronize());
done:
	for (int s = 0; s < CHUNK_BUFFERS; s++)
		if (streams[s] != NULL)
			cudaStreamDestroy(streams[s]);
	return status;
}

// An event for each of the four edges, and sink in streams[2], which streams[0] then waits for.
extern "C" cudaError_t run_diamond(const struct diamond *diamond, const cudaStream_t streams[3])
{
	cudaError_t status = cudaSuccess;
	cudaEvent_t events[5] = {NULL, NULL, NULL, NULL, NULL};
	enum { SOURCE_LEFT, SOURCE_RIGHT, LEFT_SINK, RIGHT_SINK, ALL };

	for (int e = 0; e < 5; e++)
		CUDA_TRY(cudaEventCreate(&events[e]));
	CUDA_TRY(diamond->source.queue(diamond->source.context, streams[1]));
	CUDA_TRY(cudaEventRecord(events[SOURCE_LEFT], streams[1]));
	CUDA_TRY(cudaEventRecord(events[SOURCE_RIGHT], streams[1]));
	CUDA_TRY(cudaStreamWaitEvent(streams[0], events[SOURCE_LEFT], 0));
	CUDA_TRY(cudaStreamWaitEvent(streams[2], events[SOURCE_RIGHT], 0));
	CUDA_TRY(diamond->right.queue(diamond->right.context, streams[2]));
	CUDA_TRY(diamond->left.queue(diamond->left.context, streams[0]));
	CUDA_TRY(cudaEventRecord(events[RIGHT_SINK], streams[2]));
	CUDA_TRY(cudaEventRecord(events[LEFT_SINK], streams[0]));
	CUDA_TRY(cudaStreamWaitEvent(streams[2], events[LEFT_SINK], 0));
	CUDA_TRY(cudaStreamWaitEvent(streams[2], events[RIGHT_SINK], 0));
	CUDA_TRY(diamond->sink.queue(diamond->sink.context, streams[2]));
	CUDA_TRY(cudaEventRecord(events[ALL], streams[2]));
	CUDA_TRY(cudaStreamWaitEvent(streams[0], events[ALL], 0));
done:
	for (int e = 0; e < 5; e++)
		if (events[e] != NULL)
			cudaEventDestroy(events[e]);
	return status;
}

// All that the host functions need, in one piece of memory that the last of them frees.
struct book {
	struct journal *journal;
	int *fetched;
	size_t count, next;
};

static void write_next(void *argument)
{
	struct book *book = (struct book *)argument;
	struct journal *journal = book->journal;
	size_t i = book->next++;

	journal->entries[i].stage = (unsigned)i;
	journal->entries[i].result = book->fetched[i];
	journal->length = i + 1;
	if (book->next == book->count)
		free(book);
}

// A stream of its own writes: it waits for one copy after the other.
extern "C" cudaError_t keep_journal(const struct stage *stages, size_t count, struct fetching fetching,
	struct journal *journal, const cudaStream_t streams[2])
{
	cudaError_t status = cudaSuccess;
	cudaStream_t writing = NULL;
	cudaEvent_t *fetched = (cudaEvent_t *)calloc(count + 1, sizeof *fetched);
	struct book *book = (struct book *)malloc(sizeof *book);

	if (count == 0) {
		free(fetched);
		free(book);
		return cudaSuccess;
	}
	*book = {journal, fetching.fetched, count, 0};
	for (size_t i = 0; i <= count; i++)
		CUDA_TRY(cudaEventCreate(&fetched[i]));
	CUDA_TRY(cudaStreamCreate(&writing));
	for (size_t i = 0; i < count; i++) {
		CUDA_TRY(stages[i].queue(stages[i].context, streams[i % 2]));
		CUDA_TRY(cudaMemcpyAsync(fetching.fetched + i, fetching.results + i, sizeof(int),
			cudaMemcpyDeviceToHost, streams[i % 2]));
		CUDA_TRY(cudaEventRecord(fetched[i], streams[i % 2]));
	}
	for (size_t i = 0; i < count; i++) {
		CUDA_TRY(cudaStreamWaitEvent(writing, fetched[i], 0));
		CUDA_TRY(cudaLaunchHostFunc(writing, write_next, book));
	}
	CUDA_TRY(cudaEventRecord(fetched[count], writing));
	CUDA_TRY(cudaStreamWaitEvent(streams[0], fetched[count], 0));
done:
	for (size_t i = 0; i <= count; i++)
		if (fetched[i] != NULL)
			cudaEventDestroy(fetched[i]);
	if (writing != NULL)
		cudaStreamDestroy(writing);
	free(fetched);
	return status;
}

static __global__ void add_addend_kernel(
	unsigned *words, size_t n, volatile const unsigned *addend, unsigned k)
{
	for (size_t i = threadIdx.x; i < n; i += blockDim.x)
		words[i] = words[i] * 1664525u + (*addend ^ k);
}

// The graph holds the copies, too: from and to one piece of pinned memory, which the host fills and
// empties, and waits in between.
static cudaError_t run_staged(struct chain_data data, struct chain_shape shape, unsigned *staging,
	cudaGraphExec_t executable, cudaStream_t stream)
{
	cudaError_t status = cudaSuccess;

	for (unsigned r = 0; r < shape.rows; r++) {
		memcpy(staging, data.in + r * shape.n, shape.n * 4);
		staging[shape.n] = data.addends[r];
		CUDA_TRY(cudaGraphLaunch(executable, stream));
		CUDA_TRY(cudaStreamSynchronize(stream));
		memcpy(data.out + r * shape.n, staging, shape.n * 4);
	}
done:
	return status;
}

extern "C" cudaError_t run_chains(struct chain_data data, struct chain_shape shape, cudaStream_t stream)
{
	cudaError_t status = cudaSuccess;
	cudaGraph_t graph = NULL;
	cudaGraphExec_t executable = NULL;
	cudaStream_t capturing = NULL;
	unsigned *staging = NULL;

	CUDA_TRY(cudaHostAlloc((void **)&staging, (shape.n + 1) * 4, cudaHostAllocDefault));
	CUDA_TRY(cudaStreamCreate(&capturing));
	CUDA_TRY(cudaStreamBeginCapture(capturing, cudaStreamCaptureModeRelaxed));
	CUDA_TRY(cudaMemcpyAsync(
		data.device, staging, (shape.n + 1) * 4, cudaMemcpyHostToDevice, capturing));
	for (unsigned k = 0; k < shape.links; k++)
		add_addend_kernel<<<1, 256, 0, capturing>>>(data.device, shape.n, data.device + shape.n, k);
	CUDA_TRY(cudaMemcpyAsync(
		staging, data.device, (shape.n + 1) * 4, cudaMemcpyDeviceToHost, capturing));
	CUDA_TRY(cudaStreamEndCapture(capturing, &graph));
	CUDA_TRY(cudaGraphInstantiateWithFlags(&executable, graph, 0));
	CUDA_TRY(run_staged(data, shape, staging, executable, stream));
done:
	if (executable != NULL)
		cudaGraphExecDestroy(executable);
	if (graph != NULL)
		cudaGraphDestroy(graph);
	if (capturing != NULL)
		cudaStreamDestroy(capturing);
	cudaFreeHost(staging);
	return status;
}

// One device after the other queues; default streams; the rest goes to the last device.
extern "C" cudaError_t stir_everywhere(const unsigned *in, unsigned *out, size_t n, unsigned rounds)
{
	cudaError_t status = cudaSuccess;
	int home = -1, devices = 0, can = 0;
	unsigned *parts[64] = {NULL};

	CUDA_TRY(cudaGetDevice(&home));
	CUDA_TRY(cudaGetDeviceCount(&devices));
	for (int d = 0; d < devices; d++) {
		for (int peer = 0; peer < devices; peer++) {
			CUDA_TRY(cudaSetDevice(d));
			if (peer == d)
				continue;
			CUDA_TRY(cudaDeviceCanAccessPeer(&can, d, peer));
			if (can && cudaDeviceEnablePeerAccess(peer, 0) != cudaSuccess)
				cudaGetLastError();
		}
	}
	for (int d = 0; d < devices; d++) {
		size_t size = n / devices, first = d * size;
		size_t count = d == devices - 1 ? n - first : size;
		CUDA_TRY(cudaSetDevice(d));
		CUDA_TRY(cudaMalloc((void **)&parts[d], count * 4 + 4));
		CUDA_TRY(cudaMemcpyPeerAsync(parts[d], d, in + first, home, count * 4, 0));
		CUDA_TRY(stir(parts[d], count, rounds, 0));
		CUDA_TRY(cudaMemcpyPeerAsync(out + first, home, parts[d], d, count * 4, 0));
	}
	for (int d = 0; d < devices; d++) {
		CUDA_TRY(cudaSetDevice(d));
		CUDA_TRY(cudaDeviceSynchronize());
	}
done:
	for (int d = 0; d < devices; d++)
		if (parts[d] != NULL)
			cudaFree(parts[d]);
	if (home >= 0)
		cudaSetDevice(home);
	return status;
}

// Blocking streams have priorities, too.
extern "C" cudaError_t run_urgently(struct stage background, struct stage urgent)
{
	cudaError_t status = cudaSuccess;
	cudaStream_t streams[2] = {NULL, NULL};
	int range[2] = {0, 0};

	CUDA_TRY(cudaDeviceGetStreamPriorityRange(&range[0], &range[1]));
	for (int s = 0; s < 2; s++)
		CUDA_TRY(cudaStreamCreateWithPriority(&streams[s], cudaStreamDefault, range[s]));
	CUDA_TRY(background.queue(background.context, streams[0]));
	CUDA_TRY(urgent.queue(urgent.context, streams[1]));
	CUDA_TRY(cudaDeviceSynchronize());
done:
	for (int s = 0; s < 2; s++)
		if (streams[s] != NULL)
			cudaStreamDestroy(streams[s]);
	return status;
}

// The row's copies are nodes, too, and are told new addresses for every row.
extern "C" cudaError_t run_chains_by_hand(
	struct chain_data data, struct chain_shape shape, cudaStream_t stream)
{
	cudaError_t status = cudaSuccess;
	cudaGraph_t graph = NULL;
	cudaGraphExec_t executable = NULL;
	cudaGraphNode_t row_in = NULL, addend_in = NULL, row_out = NULL, last[2], link = NULL;
	const size_t bytes = shape.n * 4;
	unsigned *words = data.device;
	const unsigned *addend = data.device + shape.n;
	size_t lasts = 2;

	if (shape.n == 0 || shape.rows == 0)
		return cudaSuccess;
	CUDA_TRY(cudaGraphCreate(&graph, 0));
	CUDA_TRY(cudaGraphAddMemcpyNode1D(
		&row_in, graph, NULL, 0, words, data.in, bytes, cudaMemcpyHostToDevice));
	CUDA_TRY(cudaGraphAddMemcpyNode1D(&addend_in, graph, NULL, 0, (void *)addend, data.addends,
		sizeof *addend, cudaMemcpyHostToDevice));
	last[0] = row_in;
	last[1] = addend_in;
	for (unsigned k = 0; k < shape.links; k++) {
		void *arguments[4] = {&words, &shape.n, &addend, &k};
		struct cudaKernelNodeParams launch = {};
		launch.func = (void *)add_addend_kernel;
		launch.gridDim = dim3(1);
		launch.blockDim = dim3(128);
		launch.kernelParams = arguments;
		CUDA_TRY(cudaGraphAddKernelNode(&link, graph, last, lasts, &launch));
		last[0] = link;
		lasts = 1;
	}
	CUDA_TRY(cudaGraphAddMemcpyNode1D(
		&row_out, graph, last, lasts, data.out, words, bytes, cudaMemcpyDeviceToHost));
	CUDA_TRY(cudaGraphInstantiateWithFlags(&executable, graph, 0));
	for (unsigned r = 0; r < shape.rows; r++) {
		CUDA_TRY(cudaGraphExecMemcpyNodeSetParams1D(
			executable, row_in, words, data.in + r * shape.n, bytes, cudaMemcpyHostToDevice));
		CUDA_TRY(cudaGraphExecMemcpyNodeSetParams1D(executable, addend_in, (void *)addend,
			data.addends + r, sizeof *addend, cudaMemcpyHostToDevice));
		CUDA_TRY(cudaGraphExecMemcpyNodeSetParams1D(
			executable, row_out, data.out + r * shape.n, words, bytes, cudaMemcpyDeviceToHost));
		CUDA_TRY(cudaGraphLaunch(executable, stream));
	}
	CUDA_TRY(cudaStreamSynchronize(stream));
done:
	if (executable != NULL)
		cudaGraphExecDestroy(executable);
	if (graph != NULL)
		cudaGraphDestroy(graph);
	return status;
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
