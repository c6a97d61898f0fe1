// A file of a test's own, gone when the test is.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lockstep {

struct TemporaryFile {
  TemporaryFile() : path((std::filesystem::temp_directory_path() / "lockstep_XXXXXX").string()) {
    const int descriptor = mkstemp(path.data());
    if (descriptor < 0) throw std::runtime_error("no temporary file at " + path);
    close(descriptor);
  }
  explicit TemporaryFile(std::string_view content) : TemporaryFile() {
    std::ofstream(path, std::ios::binary) << content;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path); }

  std::string path;
};

}  // namespace lockstep
