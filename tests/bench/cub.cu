// What the GPU can do without pscan: the kernels of CUB's DeviceScan::InclusiveSum, a sum (one read), a copy on the device
// (one read, one write), and the bus between pinned memory and the device. Usage: cub [-d DATE] [-g COMMIT]; the columns
// are machine, device, date, commit, what, type, bytes, seconds (the median), bytes of input per second in 1e9.
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

static const int WARM_UPS = 3;
static const int RUNS = 20;
static const size_t MIB = size_t(1) << 20;
static const size_t PIECE = 16 * MIB;

struct label {
	char machine[256] = "unknown";
	const char *device;
	const char *date = "-";
	const char *commit = "-";
};

static void check(cudaError_t error, const char *call)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "cub: %s: %s\n", call, cudaGetErrorString(error));
	exit(1);
}
#define CHECK(call) check((call), #call)

static void name_machine(label *l)
{
	char line[256];
	FILE *f = fopen("/proc/cpuinfo", "r");
	while (f != nullptr && fgets(line, sizeof line, f) != nullptr) {
		char *value = strchr(line, ':');
		if (strncmp(line, "model name", 10) != 0 || value == nullptr)
			continue;
		line[strcspn(line, "\n")] = '\0';
		strcpy(l->machine, value + 2);
		break;
	}
	if (f != nullptr)
		fclose(f);
}

// The median of the seconds between two events around work(), which enqueues on stream.
template <class Work> static double time_work(cudaStream_t stream, Work work)
{
	std::vector<float> milliseconds;
	cudaEvent_t begin, end;
	CHECK(cudaEventCreate(&begin));
	CHECK(cudaEventCreate(&end));
	for (int run = 0; run < WARM_UPS + RUNS; run++) {
		float passed;
		CHECK(cudaEventRecord(begin, stream));
		work();
		CHECK(cudaEventRecord(end, stream));
		CHECK(cudaEventSynchronize(end));
		CHECK(cudaEventElapsedTime(&passed, begin, end));
		if (run >= WARM_UPS)
			milliseconds.push_back(passed);
	}
	CHECK(cudaEventDestroy(begin));
	CHECK(cudaEventDestroy(end));
	std::sort(milliseconds.begin(), milliseconds.end());
	return (double(milliseconds[RUNS / 2 - 1]) + double(milliseconds[RUNS / 2])) / 2 * 1e-3;
}

static void print_row(const label &l, const char *what, const char *type, size_t bytes, double seconds)
{
	printf("%s\t%s\t%s\t%s\t%s\t%s\t%zu\t%.9f\t%.1f\n", l.machine, l.device, l.date, l.commit, what, type, bytes,
	       seconds, double(bytes) / seconds * 1e-9);
	fflush(stdout);
}

// Small integers: every sum of them is one in any of the types.
template <class T> __global__ void fill(T *elements, size_t count)
{
	const size_t stride = size_t(gridDim.x) * blockDim.x;
	for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
		elements[i] = T(i % 3);
}

template <class T> static void time_scan(const label &l, const char *type, size_t bytes)
{
	const int count = int(bytes / sizeof(T));
	T *in, *out, last;
	void *scratch;
	size_t scan_bytes = 0;
	size_t sum_bytes = 0;
	CHECK(cudaMalloc(&in, bytes));
	CHECK(cudaMalloc(&out, bytes));
	CHECK(cub::DeviceScan::InclusiveSum(nullptr, scan_bytes, in, out, count));
	CHECK(cub::DeviceReduce::Sum(nullptr, sum_bytes, in, out, count));
	CHECK(cudaMalloc(&scratch, std::max(scan_bytes, sum_bytes)));
	fill<<<1024, 256>>>(in, size_t(count));
	CHECK(cudaGetLastError());
	print_row(l, "cub-scan", type, bytes, time_work(0, [&] {
			  CHECK(cub::DeviceScan::InclusiveSum(scratch, scan_bytes, in, out, count));
		  }));
	CHECK(cudaMemcpy(&last, out + count - 1, sizeof last, cudaMemcpyDeviceToHost));
	const size_t exact = size_t(count / 3) * 3 + (count % 3 == 2 ? 1 : 0);
	// A float's sum of many addends is only near.
	if (double(last) < double(exact) * 0.999 || double(last) > double(exact) * 1.001) {
		fprintf(stderr, "cub: wrong total of %s\n", type);
		exit(1);
	}
	print_row(l, "cub-sum", type, bytes,
		  time_work(0, [&] { CHECK(cub::DeviceReduce::Sum(scratch, sum_bytes, in, out, count)); }));
	print_row(l, "device-copy", type, bytes,
		  time_work(0, [&] { CHECK(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice)); }));
	CHECK(cudaFree(scratch));
	CHECK(cudaFree(out));
	CHECK(cudaFree(in));
}

// The operator of samples/expensive.cl: what counts is the arithmetic. (nvcc must not contract it: -fmad=false.)
struct expensive {
	__device__ double operator()(double a, double b) const
	{
		for (int i = 0; i < 250; i++) {
			a = a * a - 0.5 * a + 0.1;
			b = b * b - 0.5 * b + 0.1;
		}
		return a + b;
	}
};

// The operator of samples/recurrence.cl.
struct recurrence {
	__device__ double2 operator()(double2 p, double2 q) const
	{
		return make_double2(q.x * p.x, q.x * p.y + q.y);
	}
};

template <class T> __global__ void fill_unit(T *elements, size_t count)
{
	double *numbers = reinterpret_cast<double *>(elements);
	const size_t stride = size_t(gridDim.x) * blockDim.x;
	for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count * sizeof(T) / sizeof(double); i += stride)
		numbers[i] = double(i % 1000) / 1000;
}

// Whether the last result is right: the fixed point to which everything goes that expensive is given, twice.
static bool last_is_right(double last, const double *, size_t)
{
	const double fixed = (1.5 - sqrt(1.5 * 1.5 - 0.4)) / 2;
	return fabs(last - 2 * fixed) < 1e-9;
}

// The same of a recurrence, from its last elements: what came before them is multiplied away.
static bool last_is_right(double2 last, const double2 *elements, size_t count)
{
	double y = 0;
	for (size_t i = 0; i < count; i++)
		y = elements[i].x * y + elements[i].y;
	return fabs(last.y - y) < 1e-9 * fabs(y);
}

template <class T, class Operator> static void time_operator(const label &l, const char *what, size_t count)
{
	T *in, *out, last;
	std::vector<T> end(std::min(count, size_t(5000)));
	void *scratch;
	size_t scan_bytes = 0;
	CHECK(cudaMalloc(&in, count * sizeof(T)));
	CHECK(cudaMalloc(&out, count * sizeof(T)));
	CHECK(cub::DeviceScan::InclusiveScan(nullptr, scan_bytes, in, out, Operator(), int(count)));
	CHECK(cudaMalloc(&scratch, scan_bytes));
	fill_unit<<<1024, 256>>>(in, count);
	CHECK(cudaGetLastError());
	print_row(l, what, "f64", count * sizeof(T), time_work(0, [&] {
			  CHECK(cub::DeviceScan::InclusiveScan(scratch, scan_bytes, in, out, Operator(), int(count)));
		  }));
	CHECK(cudaMemcpy(&last, out + count - 1, sizeof last, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(end.data(), in + count - end.size(), end.size() * sizeof last, cudaMemcpyDeviceToHost));
	if (!last_is_right(last, end.data(), end.size())) {
		fprintf(stderr, "cub: wrong result of %s\n", what);
		exit(1);
	}
	CHECK(cudaFree(scratch));
	CHECK(cudaFree(out));
	CHECK(cudaFree(in));
}

// Pieces of 16 MiB, uploads on one stream, downloads on another. first waits for the other stream at both ends.
static void time_bus(const label &l, const char *what, bool up, bool down, size_t bytes)
{
	cudaStream_t first, second;
	cudaEvent_t fork, join;
	char *host_in, *host_out, *device_in, *device_out;
	CHECK(cudaStreamCreate(&first));
	CHECK(cudaStreamCreate(&second));
	CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
	CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
	CHECK(cudaMallocHost(&host_in, bytes));
	CHECK(cudaMallocHost(&host_out, bytes));
	CHECK(cudaMalloc(&device_in, bytes));
	CHECK(cudaMalloc(&device_out, bytes));
	memset(host_in, 1, bytes);
	memset(host_out, 2, bytes);
	print_row(l, what, "-", bytes, time_work(first, [&] {
			  CHECK(cudaEventRecord(fork, first));
			  CHECK(cudaStreamWaitEvent(second, fork, 0));
			  for (size_t at = 0; at < bytes; at += PIECE) {
				  if (up)
					  CHECK(cudaMemcpyAsync(device_in + at, host_in + at, PIECE,
								cudaMemcpyHostToDevice, first));
				  if (down)
					  CHECK(cudaMemcpyAsync(host_out + at, device_out + at, PIECE,
								cudaMemcpyDeviceToHost, second));
			  }
			  CHECK(cudaEventRecord(join, second));
			  CHECK(cudaStreamWaitEvent(first, join, 0));
		  }));
	CHECK(cudaFree(device_out));
	CHECK(cudaFree(device_in));
	CHECK(cudaFreeHost(host_out));
	CHECK(cudaFreeHost(host_in));
	CHECK(cudaEventDestroy(join));
	CHECK(cudaEventDestroy(fork));
	CHECK(cudaStreamDestroy(second));
	CHECK(cudaStreamDestroy(first));
}

int main(int argc, char **argv)
{
	label l;
	cudaDeviceProp properties;
	int option;
	while ((option = getopt(argc, argv, "d:g:")) != -1) {
		if (option == 'd')
			l.date = optarg;
		else if (option == 'g')
			l.commit = optarg;
		else
			return 2;
	}
	CHECK(cudaGetDeviceProperties(&properties, 0));
	l.device = properties.name;
	name_machine(&l);
	for (size_t bytes : {16 * MIB, 64 * MIB, 256 * MIB, 1024 * MIB}) {
		time_scan<float>(l, "f32", bytes);
		time_scan<int>(l, "i32", bytes);
		time_scan<double>(l, "f64", bytes);
	}
	time_operator<double, expensive>(l, "cub-expensive", size_t(1) << 19);
	time_operator<double2, recurrence>(l, "cub-recurrence", size_t(1) << 18);
	time_operator<double, expensive>(l, "cub-expensive", size_t(1) << 24);
	time_operator<double2, recurrence>(l, "cub-recurrence", size_t(1) << 26);
	time_bus(l, "pinned-h2d", true, false, 512 * MIB);
	time_bus(l, "pinned-d2h", false, true, 512 * MIB);
	time_bus(l, "pinned-both", true, true, 512 * MIB);
	return 0;
}
