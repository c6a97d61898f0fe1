#include "bench/cuda/numbers.h"

#include "oracle/inputs/random.h"

#include <algorithm>
#include <cstring>

namespace lockstep {
namespace {

const DeviceBytes& pattern() {
  static const DeviceBytes bytes = [] {
    std::vector<std::uint16_t> codes(1 << 20);
    Random random(1);
    for (std::uint16_t& code : codes) code = static_cast<std::uint16_t>(encode(DType::bf16, random.normal()));
    return DeviceBytes(std::as_bytes(std::span(codes)));
  }();
  return bytes;
}

}  // namespace

void fill_with_numbers(void* to, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += pattern().size())
    require(cudaMemcpy(static_cast<std::byte*>(to) + at, pattern().data(), std::min(bytes - at, pattern().size()),
                       cudaMemcpyDefault),
            "filling a matrix");
}

DeviceBytes numbers(Index rows, Index cols) {
  DeviceBytes bytes(static_cast<std::size_t>(2 * rows * cols));
  fill_with_numbers(bytes.data(), bytes.size());
  return bytes;
}

}  // namespace lockstep
