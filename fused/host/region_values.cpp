#include "fused/host/region_values.h"

namespace lockstep {

Matrix load(const Memory& memory, Index call, DType type, const Region& region) {
  Matrix values(region.rows, region.cols);
  const std::byte* buffer = memory.bytes(call, region.buffer, region.rank).data();
  const Index step = bytes_of(type);
  for (Index i = 0; i < region.rows; ++i) {
    const std::byte* from = buffer + (region.offset + i * region.ld) * step;
    for (Index j = 0; j < region.cols; ++j, from += step) values(i, j) = decode(type, load_code(type, from));
  }
  return values;
}

void store(Memory& memory, Index call, DType type, const Region& region, const Matrix& values) {
  std::byte* buffer = memory.bytes(call, region.buffer, region.rank).data();
  const Index step = bytes_of(type);
  for (Index i = 0; i < region.rows; ++i) {
    std::byte* to = buffer + (region.offset + i * region.ld) * step;
    for (Index j = 0; j < region.cols; ++j, to += step) store_code(type, to, encode(type, values(i, j)));
  }
}

}  // namespace lockstep
