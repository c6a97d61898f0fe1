#include "fused/host/region_values.h"

namespace lockstep {
namespace {

// f with the type as a constant, so that the compiler makes one loop of conversions a type.
template <typename F>
void with_constant(DType type, F f) {
  switch (type) {
    case DType::f32:
      return f(std::integral_constant<DType, DType::f32>{});
    case DType::bf16:
      return f(std::integral_constant<DType, DType::bf16>{});
    default:
      return f(type);
  }
}

}  // namespace

Matrix load(const Memory& memory, Index call, DType type, const Region& region) {
  Matrix values(region.rows, region.cols);
  const std::byte* buffer = memory.bytes(call, region.buffer, region.rank).data();
  with_constant(type, [&](auto constant) {
    const Index step = bytes_of(constant);
    for (Index i = 0; i < region.rows; ++i) {
      const std::byte* from = buffer + (region.offset + i * region.ld) * step;
      for (Index j = 0; j < region.cols; ++j, from += step) values(i, j) = decode(constant, load_code(constant, from));
    }
  });
  return values;
}

void store(Memory& memory, Index call, DType type, const Region& region, const Matrix& values) {
  std::byte* buffer = memory.bytes(call, region.buffer, region.rank).data();
  with_constant(type, [&](auto constant) {
    const Index step = bytes_of(constant);
    for (Index i = 0; i < region.rows; ++i) {
      std::byte* to = buffer + (region.offset + i * region.ld) * step;
      for (Index j = 0; j < region.cols; ++j, to += step) store_code(constant, to, encode(constant, values(i, j)));
    }
  });
}

void copy(Memory& memory, Index call, const Plan& plan, const Region& from, const Region& to) {
  const Index step = bytes_of(dtype_of(plan, from));
  const auto bytes = static_cast<std::size_t>(from.cols * step);
  const std::byte* source = memory.bytes(call, from.buffer, from.rank).data() + from.offset * step;
  std::byte* target = memory.bytes(call, to.buffer, to.rank).data() + to.offset * step;
  for (Index i = 0; i < from.rows && bytes > 0; ++i)
    std::memmove(target + i * to.ld * step, source + i * from.ld * step, bytes);
}

}  // namespace lockstep
