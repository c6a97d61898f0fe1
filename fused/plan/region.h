// Where an operation reads or writes: `rows` rows of `cols` elements, row i starting at element offset + i * ld of a
// buffer of one rank. All in elements of the buffer's type.
#pragma once

#include "reference/contract/dtype.h"

#include <string>
#include <vector>

namespace lockstep {

// input: the caller's, read only. output: the caller's, written once. userbuffer: shared by all ranks, kept from call
// to call.
enum class BufferKind { input, output, userbuffer };

struct Buffer {
  std::string name;
  BufferKind kind = BufferKind::input;
  DType dtype = DType::bf16;
  std::vector<Index> elements;  // of each rank
  bool operator==(const Buffer&) const = default;
};

struct Region {
  Index buffer = 0;  // index into Plan::buffers
  Index rank = 0;    // whose
  Index offset = 0;
  Index rows = 0;
  Index cols = 0;
  Index ld = 0;

  bool empty() const { return rows == 0 || cols == 0; }
  Index end() const { return empty() ? offset : offset + (rows - 1) * ld + cols; }
  bool operator==(const Region&) const = default;
};

}  // namespace lockstep
