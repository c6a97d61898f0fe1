#include "fused/host/execute.h"

#include "fused/host/arithmetic.h"
#include "fused/host/region_values.h"

namespace lockstep {
namespace {

// One operation of one call; Begin, End, Signal and Wait move no data.
struct HostEffect {
  const Plan& plan;
  Index call;
  Memory& memory;

  Matrix values(const Region& region) const { return load(memory, call, dtype_of(plan, region), region); }
  void write(const Region& region, const Matrix& values) const {
    store(memory, call, dtype_of(plan, region), region, values);
  }

  void operator()(const Gemm& gemm) const {
    Matrix d = multiply_transposed(values(gemm.a), values(gemm.b));
    if (gemm.bias) add_bias(d, values(*gemm.bias));
    write(gemm.d, d);
  }

  void operator()(const Reduce& reduce) const {
    Matrix sum(reduce.d.rows, reduce.d.cols);
    for (const Region& source : reduce.sources) accumulate(sum, values(source));
    write(reduce.d, sum);
  }

  void operator()(const Begin&) const {}
  void operator()(const End&) const {}
  void operator()(const Signal&) const {}
  void operator()(const Wait&) const {}
};

}  // namespace

Walked execute(const Program& program, const Pick& pick, Memory& memory) {
  return walk(program, pick, [&](const Step& step) {
    const Plan& plan = program.calls[static_cast<std::size_t>(step.call)];
    std::visit(HostEffect{plan, step.call, memory}, plan.ops[static_cast<std::size_t>(step.op)].body);
  });
}

}  // namespace lockstep
