#include "oracle/kernel/kernel_memory.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

constexpr Index guard = 256;
constexpr std::byte around_inputs{0xFF}, around_outputs{0xA5};

std::size_t at(Index i) { return static_cast<std::size_t>(i); }
Index round_up(Index n, Index multiple) { return (n + multiple - 1) / multiple * multiple; }

Index row_bytes(const KernelBuffer& b) { return b.leading_dimension * bytes_of(b.dtype); }

// From the first element to behind the last.
Index extent(const KernelBuffer& b) {
  return b.rows == 0 || b.cols == 0 ? 0 : ((b.rows - 1) * b.leading_dimension + b.cols) * bytes_of(b.dtype);
}

bool is_element(const KernelBuffer& b, Index byte) {
  const Index within = byte - b.contents;
  return within >= 0 && within < extent(b) && within % row_bytes(b) < b.cols * bytes_of(b.dtype);
}

std::string place(const KernelBuffer& b, Index byte) {
  const Index size = bytes_of(b.dtype), within = byte - b.contents;
  if (within < 0) return fmt::format("the element {} before its first", (-within + size - 1) / size);
  if (within >= extent(b)) return fmt::format("the element {} past its last", (within - extent(b)) / size + 1);
  const Index element = within / size;
  const std::string where =
      fmt::format("row {} column {}", element / b.leading_dimension, element % b.leading_dimension);
  return is_element(b, byte) ? where : where + ", which is between its rows,";
}

}  // namespace

void KernelMemory::add(const std::string& name, Index call, Index rank, bool is_input, const Tensor& contents) {
  const Index size = bytes_of(contents.dtype);
  KernelBuffer b{name, call, rank, is_input, contents.dtype, contents.rows, contents.cols};
  b.leading_dimension = round_up(std::max<Index>(contents.cols, 1) * size, std::max(row_alignment_, size)) / size;
  b.begin = std::ssize(image_);
  b.contents = b.begin + guard;
  b.end = round_up(b.contents + extent(b) + guard, guard);
  image_.resize(at(b.end), is_input ? around_inputs : around_outputs);
  const Index of_row = contents.cols * size;
  for (Index row = 0; row < contents.rows; ++row)
    std::copy_n(contents.bytes.begin() + row * of_row, of_row, image_.begin() + b.contents + row * row_bytes(b));
  buffers_.push_back(std::move(b));
}

const KernelBuffer* KernelMemory::find(const std::string& name, Index call, Index rank) const {
  const auto found = std::ranges::find_if(
      buffers_, [&](const KernelBuffer& b) { return b.name == name && b.call == call && b.rank == rank; });
  return found == buffers_.end() ? nullptr : &*found;
}

std::optional<std::string> KernelMemory::wrongly_written(const std::vector<std::byte>& after) const {
  for (const KernelBuffer& b : buffers_)
    for (Index byte = b.begin; byte < b.end; ++byte) {
      if (after[at(byte)] == image_[at(byte)] || (!b.is_input && is_element(b, byte))) continue;
      return fmt::format("{} of rank {}{}, {} x {}: {} was written{}", b.name, b.rank,
                         b.call < 0 ? "" : fmt::format(" in call {}", b.call), b.rows, b.cols, place(b, byte),
                         b.is_input ? ", and it is an input" : "");
    }
  return {};
}

Tensor KernelMemory::read(const KernelBuffer& b, const std::vector<std::byte>& image) {
  Tensor tensor{b.dtype, b.rows, b.cols, {}};
  for (Index row = 0; row < b.rows; ++row) {
    const auto first = image.begin() + b.contents + row * row_bytes(b);
    tensor.bytes.insert(tensor.bytes.end(), first, first + b.cols * bytes_of(b.dtype));
  }
  return tensor;
}

}  // namespace lockstep
