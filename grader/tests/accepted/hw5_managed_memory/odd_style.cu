// 作业：奇怪但是正确的写法。Right, in a style of its own: tabs, CRLF, Chinese comments, a helper
// file beside it, a printf left in a kernel, a second stream that is waited for, a main().
#include "../odd_helper.cuh"
#include <algorithm>
#include <vector>
using namespace std;

#include "cuda_try.h"
#include <stdlib.h>
#include <string.h>

// ---- hw5.1: all nodes in one allocation, which the first node stands for -------------

extern "C" cudaError_t list_make(const int *values, size_t n, struct node **list)
{
	*list = NULL;
	if (n == 0)
		return cudaSuccess;
	struct node *nodes = NULL;
	cudaError_t status = cudaMallocManaged(&nodes, n * sizeof *nodes);
	if (status != cudaSuccess)
		return status;
	for (size_t i = 0; i < n; i++) {
		nodes[i].value = values[i];
		nodes[i].next = i + 1 < n ? &nodes[i + 1] : NULL;
	}
	*list = nodes;
	return cudaSuccess;
}

extern "C" cudaError_t list_free(struct node *list)
{
	return cudaFree(list);
}

static __global__ void walk(struct node *list, int amount, long long *sum)
{
	if (threadIdx.x != 0)
		return;
	*sum = 0;
	while (list != NULL) {
		list->value = list->value + amount;
		*sum = *sum + list->value;
		list = list->next;
	}
}

extern "C" cudaError_t list_add(struct node *list, int amount, long long *sum)
{
	long long *d_sum = NULL;
	cudaError_t status = cudaMalloc(&d_sum, sizeof *d_sum);
	if (status != cudaSuccess)
		return status;
	walk<<<1, 32>>>(list, amount, d_sum);
	status = cudaGetLastError();
	if (status == cudaSuccess)
		status = cudaMemcpy(sum, d_sum, sizeof *sum, cudaMemcpyDeviceToHost);
	cudaFree(d_sum);
	return status;
}

// ---- hw5.2 ---------------------------------------------------------------------------

static cudaError_t send(const void *memory, size_t bytes, int place, cudaStream_t stream)
{
#if CUDART_VERSION >= 13000
	struct cudaMemLocation location;
	location.type = place < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
	location.id = place < 0 ? 0 : place;
	return cudaMemPrefetchAsync(memory, bytes, location, 0, stream);
#else
	return cudaMemPrefetchAsync(memory, bytes, place, stream);
#endif
}

static bool pages_move(void)
{
	int device = 0;
	struct cudaDeviceProp properties;
	if (cudaGetDevice(&device) != cudaSuccess ||
		cudaGetDeviceProperties(&properties, device) != cudaSuccess)
		return false;
	return properties.concurrentManagedAccess != 0;
}

static __global__ void increment_each(int *data, size_t n, int amount)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < n)
		data[i] = data[i] + amount;
}

extern "C" cudaError_t increment(int *data, size_t n, int amount, cudaStream_t stream)
{
	if (n == 0)
		return cudaSuccess;
	int device = 0;
	cudaError_t status = cudaGetDevice(&device);
	if (status == cudaSuccess && pages_move())
		status = send(data, n * sizeof(int), device, stream);
	if (status != cudaSuccess)
		return status;
	odd::look_around(stream), increment_each<<<(unsigned)ceil_div(n, 1024), 1024, 0, stream>>>(data, n, amount);
	return cudaGetLastError();
}

extern "C" cudaError_t sum_at_home(const int *data, size_t n, long long *sum, cudaStream_t stream)
{
	cudaError_t status = cudaDeviceSynchronize();
	if (status == cudaSuccess && n > 0 && pages_move())
		status = send(data, n * sizeof(int), -1, stream);
	if (status == cudaSuccess)
		status = cudaDeviceSynchronize();
	long long total = 0;
	for (size_t i = 0; i < n && status == cudaSuccess; i++)
		total += data[i];
	*sum = total;
	return status;
}

// ---- hw5.3: a second allocation holds all names, which the first name stands for -----

static size_t names_of(const struct record *records, size_t n)
{
	size_t bytes = 0;
	for (size_t i = 0; i < n; i++)
		bytes += (size_t)records[i].length + 1;
	return bytes;
}

static cudaError_t copy_to(
	const struct record *records, size_t n, struct record **copy, bool managed)
{
	char *names = NULL, *staged_names = NULL;
	struct record *made = NULL, *staged = NULL;
	size_t names_bytes = 0, at = 0;
	cudaError_t status = cudaSuccess;
	*copy = NULL;
	if (n == 0)
		return cudaSuccess;
	if (n > (size_t)-1 / sizeof(struct record))
		return cudaErrorInvalidValue;
	CUDA_TRY(
		managed ? cudaMallocManaged(&made, n * sizeof *made) : cudaMalloc(&made, n * sizeof *made));
	names_bytes = names_of(records, n);
	CUDA_TRY(managed ? cudaMallocManaged(&names, names_bytes) : cudaMalloc(&names, names_bytes));
	staged = (struct record *)malloc(n * sizeof *staged);
	staged_names = (char *)malloc(names_bytes);
	CUDA_TRY(staged && staged_names ? cudaSuccess : cudaErrorMemoryAllocation);
	for (size_t i = 0; i < n; i++) {
		staged[i] = records[i];
		staged[i].name = names + at;
		strcpy(staged_names + at, records[i].name);
		at += (size_t)records[i].length + 1;
	}
	CUDA_TRY(cudaMemcpy(made, staged, n * sizeof *made, cudaMemcpyDefault));
	CUDA_TRY(cudaMemcpy(names, staged_names, names_bytes, cudaMemcpyDefault));
	CUDA_TRY(cudaDeviceSynchronize());
	*copy = made;
done:
	if (status != cudaSuccess) {
		cudaFree(names);
		cudaFree(made);
	}
	free(staged);
	free(staged_names);
	return status;
}

extern "C" cudaError_t copy_by_hand(const struct record *records, size_t n, struct record **copy)
{
	return copy_to(records, n, copy, false);
}

extern "C" cudaError_t copy_managed(const struct record *records, size_t n, struct record **copy)
{
	return copy_to(records, n, copy, true);
}

extern "C" cudaError_t free_by_hand(struct record *copy, size_t n)
{
	struct record first;
	if (n == 0 || copy == NULL)
		return cudaSuccess;
	cudaError_t status = cudaMemcpy(&first, copy, sizeof first, cudaMemcpyDeviceToHost);
	if (status == cudaSuccess)
		status = cudaFree(first.name);
	if (status == cudaSuccess)
		status = cudaFree(copy);
	return status;
}

extern "C" cudaError_t free_managed(struct record *copy, size_t n)
{
	if (n == 0 || copy == NULL)
		return cudaSuccess;
	cudaFree(copy->name);
	return cudaFree(copy);
}

// ---- hw5.4 ---------------------------------------------------------------------------

struct Managed {
	void *operator new(size_t bytes) noexcept
	{
		void *memory = NULL;
		if (cudaMallocManaged(&memory, bytes) != cudaSuccess)
			return NULL;
		cudaDeviceSynchronize();
		return memory;
	}

	void *operator new[](size_t bytes) noexcept
	{
		return operator new(bytes);
	}

	void operator delete(void *memory)
	{
		cudaDeviceSynchronize();
		cudaFree(memory);
	}

	void operator delete[](void *memory)
	{
		operator delete(memory);
	}
};

struct Text : public Managed {
	size_t length;
	char *chars;

	Text() : length(0), chars(NULL)
	{
		take("");
	}

	Text(const char *from) : length(0), chars(NULL)
	{
		take(from);
	}

	Text(const Text &from) : length(0), chars(NULL)
	{
		take(from.chars);
	}

	Text &operator=(const Text &from)
	{
		if (this != &from) {
			drop();
			take(from.chars);
		}
		return *this;
	}

	~Text()
	{
		drop();
	}

	void drop()
	{
		cudaDeviceSynchronize();
		cudaFree(chars);
		chars = NULL;
		length = 0;
	}

	void take(const char *from)
	{
		size_t bytes = strlen(from) + 1;
		if (cudaMallocManaged(&chars, bytes) != cudaSuccess)
			return;
		memcpy(chars, from, bytes);
		length = bytes - 1;
	}
};

static __global__ void upper(Text *text)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < text->length && text->chars[i] >= 'a' && text->chars[i] <= 'z')
		text->chars[i] = text->chars[i] - 'a' + 'A';
}

static __global__ void count_letters(Text text, char letter, unsigned *count)
{
	*count = 0;
	for (size_t i = 0; i < text.length; i++)
		*count += text.chars[i] == letter;
}

extern "C" cudaError_t text_make(const char *chars, struct Text **text)
{
	*text = new Text(chars);
	return *text ? cudaSuccess : cudaErrorMemoryAllocation;
}

extern "C" cudaError_t text_copy(const struct Text *from, struct Text **text)
{
	*text = new Text(*from);
	return *text ? cudaSuccess : cudaErrorMemoryAllocation;
}

extern "C" cudaError_t text_assign(struct Text *to, const struct Text *from)
{
	*to = *from;
	return cudaSuccess;
}

extern "C" cudaError_t text_make_array(size_t n, struct Text **texts)
{
	*texts = new Text[n];
	return *texts ? cudaSuccess : cudaErrorMemoryAllocation;
}

struct Text *text_at(struct Text *texts, size_t i)
{
	return texts + i;
}

size_t text_length(const struct Text *text)
{
	return text->length;
}

const char *text_chars(const struct Text *text)
{
	return text->chars;
}

extern "C" cudaError_t text_upper(struct Text *text)
{
	upper<<<(unsigned)(text->length / 32 + 1), 32>>>(text);
	cudaError_t status = cudaGetLastError();
	return status == cudaSuccess ? cudaDeviceSynchronize() : status;
}

extern "C" cudaError_t text_count(const struct Text *text, char letter, unsigned *count)
{
	unsigned *d_count = NULL;
	cudaError_t status = cudaMalloc(&d_count, sizeof *d_count);
	if (status != cudaSuccess)
		return status;
	count_letters<<<1, 1>>>(*text, letter, d_count);
	status = cudaMemcpy(count, d_count, sizeof *count, cudaMemcpyDeviceToHost);
	cudaFree(d_count);
	return status;
}

void text_delete(struct Text *text)
{
	delete text;
}

void text_delete_array(struct Text *texts)
{
	delete[] texts;
}

// ---- hw5.5: a compare-and-swap of system scope, and GCC's older builtin --------------

static __global__ void add_ones(unsigned *counter, size_t adds)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i >= adds)
		return;
	unsigned seen = 0, was = atomicAdd_system(counter, 0u);
	do {
		seen = was;
		was = atomicCAS_system(counter, seen, seen + 1);
	} while (was != seen);
}

extern "C" cudaError_t count_together(unsigned *counter, size_t gpu_adds, size_t cpu_adds)
{
	cudaError_t status = cudaSuccess;
	if (gpu_adds > 0) {
		add_ones<<<(unsigned)ceil_div(gpu_adds, 128), 128>>>(counter, gpu_adds);
		status = cudaGetLastError();
	}
	if (status == cudaSuccess && !pages_move())
		status = cudaDeviceSynchronize();
	if (status != cudaSuccess)
		return status;
	for (size_t i = 0; i < cpu_adds; i++)
		__sync_fetch_and_add(counter, 1);
	return cudaDeviceSynchronize();
}

// ---- hw5.6 ---------------------------------------------------------------------------

static cudaError_t hint(const void *memory, size_t count, enum cudaMemoryAdvise advice, int place)
{
#if CUDART_VERSION >= 13000
	struct cudaMemLocation location;
	location.type = place < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
	location.id = place < 0 ? 0 : place;
	return cudaMemAdvise(memory, 4 * count, advice, location);
#else
	return cudaMemAdvise(memory, 4 * count, advice, place);
#endif
}

extern "C" cudaError_t advise(const struct shared_arrays *a, int device)
{
	cudaError_t status = cudaSuccess;
	if (!pages_move())
		return cudaSuccess;
	CUDA_TRY(hint(a->orders, a->order_count, cudaMemAdviseSetAccessedBy, device));
	CUDA_TRY(hint(a->orders, a->order_count, cudaMemAdviseSetPreferredLocation, -1));
	CUDA_TRY(hint(a->state, a->state_count, cudaMemAdviseSetPreferredLocation, device));
	CUDA_TRY(hint(a->table, a->table_count, cudaMemAdviseSetAccessedBy, device));
	CUDA_TRY(hint(a->table, a->table_count, cudaMemAdviseSetReadMostly, device));
done:
	return status;
}

// ---- hw5.7: every vertex looks at its level in every launch ---------------------------

static __global__ void clear_levels(struct vertex *vertices, size_t n)
{
	for (size_t i = 0; i < n; i++)
		vertices[i].level = UNREACHED;
}

static __global__ void go_on(struct vertex *vertices, size_t n, int level, int *changed)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i >= n || *(volatile int *)&vertices[i].level != level)
		return;
	for (unsigned k = 0; k < vertices[i].neighbour_count; k++)
		if (atomicCAS(&vertices[i].neighbours[k]->level, UNREACHED, level + 1) == UNREACHED)
			atomicExch(changed, 1);
}

extern "C" cudaError_t breadth_first(struct vertex *vertices, size_t n, struct vertex *start)
{
	cudaError_t status = cudaSuccess;
	int *changed = NULL;
	CUDA_TRY(cudaMallocManaged(&changed, sizeof *changed));
	clear_levels<<<1, 1>>>(vertices, n);
	CUDA_TRY(cudaDeviceSynchronize());
	start->level = 0;
	*changed = 1;
	for (int level = 0; *changed; level++) {
		*changed = 0;
		go_on<<<(unsigned)ceil_div(n, 64), 64>>>(vertices, n, level, changed);
		CUDA_TRY(cudaGetLastError());
		CUDA_TRY(cudaDeviceSynchronize());
	}
done:
	cudaFree(changed);
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
