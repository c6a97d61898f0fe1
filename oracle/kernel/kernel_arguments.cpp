#include "oracle/kernel/kernel_arguments.h"

namespace lockstep {

KernelArguments::KernelArguments(const KernelMemory& memory, const KernelArena& arena, const lockstep_problem& problem,
                                 Index call)
    : memory_(memory), begin_(arena.begin()), ranks_(problem.ranks), call_(call) {
  arguments_ = {.size = sizeof arguments_,
                .problem = &problem,
                .x = tensors(0, "x"),
                .w = tensors(1, "w"),
                .b = tensors(2, "b"),
                .dy = tensors(3, "dy"),
                .y = tensors(4, "y"),
                .dx = tensors(5, "dx"),
                .dw = tensors(6, problem.main_grad ? "main_grad" : "dw"),
                .db = tensors(7, "db"),
                .stream = arena.stream()};
}

lockstep_tensor KernelArguments::tensor(const std::string& name, Index rank) const {
  const KernelBuffer* buffer = memory_.find(name, call_holding(name, call_), rank);
  if (!buffer) return {nullptr, 0, 0, 1, nullptr, 0};
  const KernelBuffer* scale = memory_.find("scale_inv." + name, call_, rank);
  return {begin_ + buffer->contents,
          buffer->rows,
          buffer->cols,
          buffer->leading_dimension,
          scale ? reinterpret_cast<const float*>(begin_ + scale->contents) : nullptr,
          static_cast<std::int32_t>(buffer->dtype)};
}

const lockstep_tensor* KernelArguments::tensors(std::size_t which, const std::string& name) {
  for (Index rank = 0; rank < ranks_; ++rank) tensors_[which].push_back(tensor(name, rank));
  return tensors_[which].data();
}

}  // namespace lockstep
