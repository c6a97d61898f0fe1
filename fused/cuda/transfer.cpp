#include "fused/cuda/transfer.h"

#include "fused/cuda/kernels.h"
#include "reference/contract/cuda/status.h"

namespace lockstep {
namespace {

// In bytes, as the copy engine counts.
struct Rows {
  std::byte* begin;
  std::size_t pitch, width, count;

  std::byte* end() const { return begin + (count - 1) * pitch + width; }
};

Rows rows_of(const DeviceMatrix& m) {
  const auto bytes = [&](Index elements) { return static_cast<std::size_t>(elements * bytes_of(m.type)); };
  return {static_cast<std::byte*>(m.data), bytes(m.rows == 1 ? m.cols : m.ld), bytes(m.cols),
          static_cast<std::size_t>(m.rows)};
}

// And within what the copy engine takes.
bool lie_apart(const Rows& rows) { return rows.pitch >= rows.width && rows.pitch < std::size_t{1} << 31; }
bool overlap(const Rows& a, const Rows& b) { return a.begin < b.end() && b.begin < a.end(); }

}  // namespace

void enqueue_transfer(cudaStream_t stream, const DeviceMatrix& from, const DeviceMatrix& to) {
  if (to.empty()) return;
  const Rows source = rows_of(from), target = rows_of(to);
  if (stream == on_the_host || !lie_apart(source) || !lie_apart(target) || overlap(source, target))
    return enqueue_copy(stream, from, to);
  require(cudaMemcpy2DAsync(target.begin, target.pitch, source.begin, source.pitch, target.width, target.count,
                            cudaMemcpyDefault, stream),
          "a copy of a plan");
}

}  // namespace lockstep
