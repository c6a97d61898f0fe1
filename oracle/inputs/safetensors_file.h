// A regular file, open to be read a part at a time; closed when it goes.
//
// It is read and not mapped: a file that shrinks meanwhile ends in a Refusal, where a mapped one would end the process.
// Refuses what cannot be opened and what is no regular file (a directory, a pipe, a device).
#pragma once

#include "reference/contract/partition.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lockstep {

class OpenFile {
 public:
  explicit OpenFile(const std::string& path);
  ~OpenFile();
  OpenFile(OpenFile&& other) noexcept;
  OpenFile& operator=(OpenFile&&) = delete;

  const std::string& name() const { return name_; }
  Index size() const { return size_; }
  std::vector<std::byte> read(const Range& bytes) const;  // of those it had when it was opened

 private:
  std::string name_;  // the path, as a sentence shows it
  int descriptor_ = -1;
  Index size_ = 0;
};

}  // namespace lockstep
