// What a kernel library says of itself (lockstep_kernel.h), as data: whoever has it need not load the library.
#pragma once

#include "reference/contract/case.h"

#include <chrono>

namespace lockstep {

struct KernelAbout {
  std::string path;  // of the library, absolute
  std::string name;
  RunsOn memory = RunsOn::host;
  std::uint32_t ops = 0;
  Index min_ranks = 1, max_ranks = max_tp;
  Index tokens_multiple = 1, in_multiple = 1, out_multiple = 1;
  bool even_shards = false;
  Index row_alignment = 1;  // bytes

  bool implements(int op) const { return ops >> op & 1; }
};

// Asks the library in a child. Refuses a file that is no kernel library, of another version, or whose table says what
// cannot be; in a sentence that has the path.
KernelAbout about_kernel(const std::string& path, std::chrono::milliseconds limit);

// "gemm_rs, row_linear"
std::string ops_in_words(const KernelAbout& about);

}  // namespace lockstep
