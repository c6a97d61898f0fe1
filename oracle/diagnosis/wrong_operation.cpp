#include "oracle/diagnosis/wrong_operation.h"

#include "oracle/judges/same_value.h"

#include <algorithm>

namespace lockstep {
namespace {

// Threads and processes cannot be looked at without ordering them: there one operation follows the other.
Executor on_host(Executor executor) {
  if (executor.kind == ExecutorKind::threads || executor.kind == ExecutorKind::mpi)
    executor.kind = ExecutorKind::sequential;
  executor.device = RunsOn::host;
  return executor;
}

std::optional<WrongOperation> compared(const Step& step, const Implied& implied, const Tensor& got) {
  WrongOperation found{step, implied.region, 0, got.rows * got.cols, 0, 0, got.dtype, 0, 0};
  for (Index i = got.rows - 1; i >= 0; --i)
    for (Index j = got.cols - 1; j >= 0; --j) {
      const auto is = code_at(got, i, j), must = code_at(implied.must, i, j);
      if (same_value(got.dtype, is, must)) continue;
      ++found.wrong;
      found.row = i, found.col = j, found.got = is, found.must = must;
    }
  if (found.wrong == 0) return {};
  return found;
}

void put(Memory& memory, Index call, const Implied& implied) {
  const Region& r = implied.region;
  const auto row_bytes = static_cast<std::size_t>(r.cols * bytes_of(implied.must.dtype));
  const auto bytes = memory.bytes(call, r.buffer, r.rank);
  for (Index i = 0; i < r.rows && row_bytes > 0; ++i)
    std::memcpy(bytes.data() + (r.offset + i * r.ld) * bytes_of(implied.must.dtype),
                implied.must.bytes.data() + static_cast<std::size_t>(i) * row_bytes, row_bytes);
}

// visit(whole step, what is implied, memory) after each operation.
template <typename Visit>
Observed run(const Prepared& prepared, const Program& program, const EffectOf& effect_of, const Visit& visit) {
  const Arithmetic arithmetic = prepared.a_case.first().arithmetic;
  const Around around = [&](const Effect&, const ProgramInParts& parts, Memory& memory) -> Effect {
    return [&, effect = effect_of(parts.program, memory, arithmetic)](const Step& step) {
      const Plan& plan = plan_at(parts.program, step);
      const auto all = implied(plan, step.call, op_at(parts.program, step), memory, arithmetic);
      effect(step);
      for (const Implied& one : all) visit(parts.whole(step), plan, one, memory);
    };
  };
  return observe(program, prepared.inputs, prepared.wanted, on_host(prepared.a_case.first().executor), arithmetic,
                 around);
}

}  // namespace

Looked look_on(const Prepared& prepared, const Program& program, const EffectOf& effect_of) {
  Looked looked;
  const auto visit = [&](const Step& step, const Plan& plan, const Implied& one, const Memory& memory) {
    ++looked.operations;
    if (!looked.wrong) looked.wrong = compared(step, one, held(plan, step.call, one.region, memory));
  };
  looked.observed = run(prepared, program, effect_of, visit);
  return looked;
}

Observed put_right(const Prepared& prepared, const Program& program, const Step& step, const EffectOf& effect_of) {
  return run(prepared, program, effect_of, [&](const Step& at, const Plan&, const Implied& one, Memory& memory) {
    if (at == step) put(memory, step.call, one);
  });
}

}  // namespace lockstep
