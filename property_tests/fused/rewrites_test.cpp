// What rewrites a plan for the device leaves it right: no result, no hang, no hazard changes.
#include "fused/host/provenance.h"
#include "fused/plan/early_sends.h"
#include "fused/plan/late_waits.h"
#include "fused/plan/malformed.h"
#include "fused/plan/signals_aside.h"
#include "oracle/campaign/draw.h"
#include "oracle/hazards/hazards.h"
#include "oracle/inputs/program.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

struct Rewrite {
  const char* name;
  Program (*rewritten)(const Program&);
  friend void PrintTo(const Rewrite& rewrite, std::ostream* out) { *out << rewrite.name; }
};

Program late(const Program& program) { return with_late_waits(program); }
Program aside(const Program& program) { return with_signals_aside(program); }
Program early(const Program& program) { return with_early_sends(program, 2); }
Program all(const Program& program) { return late(with_early_sends(aside(program), 3)); }

class Rewrites : public testing::TestWithParam<Rewrite> {};

TEST_P(Rewrites, LeaveProgramsRight) {
  Index changed = 0;
  for (Index number = 0; number < 150; ++number) {
    const Program program = correct_program(draw_case(9, number, 0, {})), now = GetParam().rewritten(program);
    ASSERT_EQ(malformed(now), std::nullopt);
    for (const auto& h : hazards(repeated(now), 1)) FAIL() << h.sentence;
    ASSERT_EQ(provenance(now).outputs, provenance(program).outputs);
    changed += now.calls != program.calls;
  }
  EXPECT_GT(changed, 15);
}

INSTANTIATE_TEST_SUITE_P(For, Rewrites,
                         testing::Values(Rewrite{"late_waits", late}, Rewrite{"signals_aside", aside},
                                         Rewrite{"early_sends", early}, Rewrite{"all", all}),
                         [](const auto& which) { return which.param.name; });

}  // namespace
}  // namespace lockstep
