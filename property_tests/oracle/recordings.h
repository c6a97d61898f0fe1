// All recordings that tests have: those of property_tests/data, and of the folder that LOCKSTEP_MORE_DATA names.
#pragma once

#include "oracle/inputs/recorded_gemm.h"
#include "oracle/inputs/recorded_layer.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace lockstep {

inline std::vector<std::string> recording_paths() {
  std::vector<std::string> paths, folders{LOCKSTEP_TEST_DATA};
  if (const char* more = std::getenv("LOCKSTEP_MORE_DATA")) folders.emplace_back(more);
  for (const std::string& folder : folders)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".safetensors") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

using Recording = std::variant<RecordedGemm, RecordedLayer>;

inline Recording read_recording(const std::string& path) {
  const Safetensors file = read_safetensors(path);
  if (file.metadata.at("op") == "gemm") return recorded_gemm(file);
  return recorded_layer(file);
}

}  // namespace lockstep
