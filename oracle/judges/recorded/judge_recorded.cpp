#include "oracle/judges/recorded/judge_recorded.h"

#include "oracle/inputs/recorded_reader.h"
#include "oracle/judges/recorded/declared_gemm.h"
#include "oracle/judges/recorded/declared_layer.h"
#include "oracle/judges/recorded/memory.h"

namespace lockstep {

RecordedVerdict judge_recorded(const std::string& path) {
  const Safetensors file = read_safetensors(path);
  const bool is_gemm = RecordedReader{file}.expect_op({"gemm", "all_gather_gemm", "gemm_reduce_scatter"}) == 0;
  refuse_if_too_large(file);
  return is_gemm ? judge_declared(recorded_gemm(file)) : judge_declared(recorded_layer(file));
}

}  // namespace lockstep
