// A folder of a test's own, gone with all in it when the test is.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace lockstep {

struct TemporaryFolder {
  TemporaryFolder() : path((std::filesystem::temp_directory_path() / "lockstep_XXXXXX").string()) {
    if (!mkdtemp(path.data())) throw std::runtime_error("no temporary folder at " + path);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path); }

  std::string path;
};

}  // namespace lockstep
