// A whole file, mapped to be read; unmapped when it goes.
//
// Refuses what cannot be opened and what is no regular file (a directory, a pipe, a device). An empty file has no
// bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace lockstep {

class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace lockstep
