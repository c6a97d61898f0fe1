#include "oracle/judges/recorded/memory.h"

#include "oracle/campaign/memory_limit.h"
#include "reference/contract/refusal.h"

#include <algorithm>

namespace lockstep {
namespace {

bool is_output(const StoredTensor& tensor) { return tensor.name.ends_with("output"); }

// Codes twice: as read, and as one product takes them or makes them anew. Of an operand a float and a term, of an
// output two numbers; and the products of all ranks, where they are added.
double bytes_needed(const StoredTensor& tensor, double added_products, double of_a_number) {
  const double elements = static_cast<double>(tensor.bytes.size()) / static_cast<double>(bytes_of(tensor.dtype));
  return 2.0 * static_cast<double>(tensor.bytes.size()) +
         elements * (is_output(tensor) ? of_a_number * (2 + added_products) : 8.0);
}

}  // namespace

double bytes_needed(const Safetensors& file, Index bytes_of_a_number) {
  const auto op = file.metadata.find("op");
  const bool adds = op != file.metadata.end() && op->second == "gemm_reduce_scatter";
  const auto ranks = static_cast<double>(std::ranges::count_if(file.tensors, is_output));
  double all = 0;
  for (const StoredTensor& tensor : file.tensors)
    all += bytes_needed(tensor, adds ? ranks + 2 : 0, static_cast<double>(bytes_of_a_number));
  return all;
}

void refuse_if_too_large(const Safetensors& file, Index bytes_of_a_number) {
  const double needed = bytes_needed(file, bytes_of_a_number), available = static_cast<double>(bytes_available());
  if (needed > available)
    refuse("{}: judging it needs about {:.1f} GiB of memory and {:.1f} GiB are available: record less of it", file.name,
           needed / 0x1p30, available / 0x1p30);
}

}  // namespace lockstep
