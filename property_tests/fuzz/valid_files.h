// The bytes of so many files that a writer makes, each with the numbers that it is given.
#pragma once

#include "oracle/inputs/random.h"
#include "property_tests/file_text.h"
#include "property_tests/oracle/temporary_file.h"

#include <vector>

namespace lockstep {

using Writer = void (*)(const std::string& path, Random& random);

inline std::vector<std::string> valid_files(Writer write, int count, std::uint64_t seed) {
  const TemporaryFile file;
  Random random(seed);
  std::vector<std::string> texts;
  while (std::ssize(texts) < count) {
    write(file.path, random);
    texts.push_back(file_text(file.path));
  }
  return texts;
}

}  // namespace lockstep
