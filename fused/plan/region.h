// Where an operation reads or writes: `rows` rows of `cols` elements, row i starting at element offset + i * ld of a
// buffer of one rank. All in elements of the buffer's type.
#pragma once

#include "reference/contract/partition.h"

#include <string>
#include <vector>

namespace lockstep {

// input: the caller's, read only. output: the caller's, written once. userbuffer: shared by all ranks, kept from call
// to call. workspace: a rank's own, for one call. state: a rank's own, kept from call to call; the caller gives what it
// starts with and may read what it ends with.
enum class BufferKind { input, output, userbuffer, workspace, state };

// Of one name, the same memory in every call.
inline bool is_kept(BufferKind kind) { return kind == BufferKind::userbuffer || kind == BufferKind::state; }

struct Buffer {
  std::string name;
  BufferKind kind = BufferKind::input;
  DType dtype = DType::bf16;
  std::vector<Index> elements;  // of each rank
  bool replicated = false;      // the caller gives every rank of a group the same
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

inline Region rows_of(Region region, const Range& rows) {
  region.offset += rows.begin * region.ld;
  region.rows = rows.size();
  return region;
}

inline Region cols_of(Region region, const Range& cols) {
  region.offset += cols.begin;
  region.cols = cols.size();
  return region;
}

}  // namespace lockstep
