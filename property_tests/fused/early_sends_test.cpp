// Early sends cut the first transfer of a lane, with the GEMM that makes what it sends.
#include "fused/plan/early_sends.h"

#include "oracle/inputs/program.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

template <typename Body>
std::vector<Index> operations_of(const Plan& plan, Index rank) {
  std::vector<Index> all;
  for (Index op = 0; op < std::ssize(plan.ops); ++op)
    if (const PlanOp& which = plan.ops[static_cast<std::size_t>(op)];
        which.rank == rank && std::holds_alternative<Body>(which.body))
      all.push_back(op);
  return all;
}

const PlanOp& at(const Plan& plan, Index op) { return plan.ops[static_cast<std::size_t>(op)]; }

TEST(EarlySends, CutTheFirstTransferOfAnExchange) {
  const Plan whole = correct_program(parse_case("op=gemm_rs tp=4 tokens=32 in=8 out=8 method=ring_exchange")).calls[0],
             plan = with_early_sends(whole, 2);
  for (Index rank = 0; rank < 4; ++rank) {
    const auto gemms = operations_of<Gemm>(plan, rank), copies = operations_of<Copy>(plan, rank);
    ASSERT_EQ(gemms.size(), 5);
    ASSERT_EQ(copies.size(), 4);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(at(plan, copies[i]).after, std::vector<Index>{gemms[i]});
      EXPECT_EQ(std::get<Copy>(at(plan, copies[i]).body).from, std::get<Gemm>(at(plan, gemms[i]).body).d);
      EXPECT_EQ(std::get<Copy>(at(plan, copies[i]).body).from.rows, i < 2 ? 4 : 8);
    }
  }
}

// A gather sends what no GEMM makes; with an amax a GEMM is one.
TEST(EarlySends, LeaveTheRest) {
  for (const char* line :
       {"op=ag_gemm tp=4 tokens=32 in=8 out=8", "op=gemm_rs tp=4 tokens=4 in=8 out=1 method=ring_exchange",
        "op=gemm_rs tp=4 tokens=64 in=64 out=64 method=ring_exchange wire=fp8 recipe=delayed"}) {
    const Plan plan = correct_program(parse_case(line)).calls[0];
    EXPECT_EQ(with_early_sends(plan, 2), plan) << line;
  }
}

}  // namespace
}  // namespace lockstep
