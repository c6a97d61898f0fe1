// What a stream itself writes and awaits, in memory that the device reaches; that of the host too, where it is
// registered. No kernel runs for it: a wait keeps no multiprocessor, and where several processes take turns on one
// device, no turn. The host cannot call a wait off; it can write what is awaited.
#pragma once

#include <cuda_runtime_api.h>
#include <cstdint>

namespace lockstep {

// Throws DeviceError where the device or its driver cannot.
void expect_stream_memory(int device);

// After all that the stream was given before, and what that wrote.
void enqueue_write(cudaStream_t stream, std::uint64_t* to, std::uint64_t value);
// Until (int64_t)(*at - value) >= 0; what was written before the value that ends it is seen by what comes after.
void enqueue_await(cudaStream_t stream, std::uint64_t* at, std::uint64_t value);

}  // namespace lockstep
