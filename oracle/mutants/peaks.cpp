#include "oracle/mutants/peaks.h"

#include "reference/contract/partition.h"
#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

constexpr float peak = 48;  // of values near 1; a power of two times three, so that every format here has it

void set(Tensor& tensor, Index row, Index col) {
  if (tensor.bytes.empty()) return;
  const Index element = row * tensor.cols + col;
  store_code(tensor.dtype, tensor.bytes.data() + element * bytes_of(tensor.dtype), encode(tensor.dtype, peak));
}

void set_peaks(std::vector<Tensor>& ranks, std::size_t call, Index which) {
  Tensor& one = ranks[static_cast<std::size_t>(which)];
  if (call == 0) return set(one, one.rows - 1, one.cols - 1);
  for (Tensor& tensor : ranks)
    set(tensor, part(tensor.rows, std::ssize(ranks), which).begin % std::max<Index>(tensor.rows, 1), 0);
}

}  // namespace

Prepared with_peaks(Prepared prepared, Index which) {
  CHECK(!is_exact(prepared.a_case.first().data), "data that stay exact have no peaks");
  for (std::size_t call = 0; call < prepared.inputs.size(); ++call)
    for (const char* name : {"x", "w", "dy"})
      if (const auto found = prepared.inputs[call].find(name); found != prepared.inputs[call].end())
        set_peaks(found->second, call, which);
  prepared.wanted = expected(prepared.a_case, prepared.inputs);
  return prepared;
}

}  // namespace lockstep
