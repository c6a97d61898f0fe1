// Programs whose ranks are in several processes against the host's execution in order, every byte of every buffer and
// guard zone; and what happens when they hang, or when one process cannot go on. The leader of each team looks, the
// others serve it.
#include "oracle/campaign/draw.h"
#include "oracle/hazards/hang.h"
#include "oracle/inputs/program.h"
#include "property_tests/mpi/job.h"
#include "property_tests/program_memory.h"

#include "fused/host/execute.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

namespace lockstep {
namespace {

// As if the processes stood on so many nodes.
class Nodes {
 public:
  explicit Nodes(const std::string& nodes) { setenv("LOCKSTEP_NODES", nodes.c_str(), 1); }
  ~Nodes() { unsetenv("LOCKSTEP_NODES"); }
  Nodes(const Nodes&) = delete;
  Nodes& operator=(const Nodes&) = delete;
};

// `look` in the leader of all processes of the job, on every number of nodes that matters.
void in_all(const std::function<void()>& look) {
  for (Index nodes = 1; nodes <= std::min<Index>(job().size, 3); ++nodes) {
    const Nodes on(std::to_string(nodes));
    SCOPED_TRACE(fmt::format("{} nodes", nodes));
    Team team = team_of(job(), job().size);
    in_team(team, look);
  }
}

// What differs from the host's execution in order; empty where nothing does.
std::string wrong_with(const Case& a_case, std::uint64_t seed = 0) {
  const Program program = correct_program(a_case);
  const Arithmetic arithmetic = a_case.first().arithmetic;
  Memory want = memory_of(a_case, program), got = memory_of(a_case, program);
  execute(program, first_in_order(), want, arithmetic);
  const Walked walked = execute_in_team(program, got, {.arithmetic = arithmetic, .seed = seed});
  return walked.finished ? difference(program, got, want) : describe_hang(program, walked);
}

// Cases of every n-th cell: each schedule, recipe and layer.
void agree_on_cells(std::size_t n) {
  Fixed fixed;
  for (std::size_t which = 0; which < all_cells().size(); which += n) {
    fixed.cell = all_cells()[which];
    const Case a_case = draw_case(11, static_cast<Index>(which), 0, fixed);
    ASSERT_EQ(wrong_with(a_case, which % 2), "") << print(a_case);
  }
}

void agree_on_random_cases(Index count) {
  for (Index number = 0; number < count; ++number) {
    const Case a_case = draw_case(7, number, 0, {});
    ASSERT_EQ(wrong_with(a_case, static_cast<std::uint64_t>(number % 3)), "") << print(a_case);
  }
}

TEST(Mpi, EveryScheduleAndRecipeGivesWhatTheHostGives) {
  in_all([] { agree_on_cells(31); });
}
TEST(Mpi, NightlyEveryCellGivesWhatTheHostGives) {
  in_all([] { agree_on_cells(1); });
}
TEST(Mpi, RandomCasesGiveWhatTheHostGives) {
  in_all([] { agree_on_random_cases(30); });
}
TEST(Mpi, NightlyRandomCasesGiveWhatTheHostGives) {
  in_all([] { agree_on_random_cases(1000); });
}

// Another order and other delays in every process.
TEST(Mpi, WhateverIsDelayed) {
  in_all([] {
    for (const char* line : {"op=gemm_rs tp=4 tokens=33 in=40 out=24 splits=3 calls=3",
                             "op=gemm_rs method=ring_exchange tp=4 tokens=33 in=40 out=24 calls=3",
                             "op=row_linear pass=both tp=3 tokens=20 in=30 out=40 recipe=delayed calls=2",
                             "op=column_linear pass=both tp=3 tokens=20 in=30 out=40 calls=2"})
      for (std::uint64_t seed = 1; seed <= 5; ++seed)
        ASSERT_EQ(wrong_with(parse_case(line), seed), "") << line << " seed " << seed;
  });
}

// Whatever the counters held before.
TEST(Mpi, WhereCountersStartElsewhere) {
  in_all([] {
    for (const char* base : {"1", "4294967294", "18446744073709551615"}) {
      const Case a_case = parse_case(fmt::format("op=gemm_rs tp=5 tokens=9 in=10 out=12 calls=2 counter={}", base));
      ASSERT_EQ(wrong_with(a_case), "") << base;
    }
  });
}

// How ranks 0 to 3 are dealt so that one group is this list.
std::string dealt_as(const std::vector<Index>& group) {
  for (std::uint64_t seed = 0;; ++seed)
    if (std::ranges::count(deal({Dealing::permuted, seed}, 4, 2), group)) return fmt::format("permuted:{}", seed);
}

// A rank's number in its group is nowhere taken for its number in the world.
TEST(Mpi, InAWorldOfGroups) {
  in_all([] {
    for (const std::vector<Index>& group : {std::vector<Index>{2, 3}, {3, 1}, {0, 2}})
      for (const char* layer : {"op=gemm_rs", "op=ag_gemm", "op=row_linear pass=both", "op=column_linear pass=both"}) {
        const std::string line =
            fmt::format("{} tp=2 world=4 groups={} tokens=9 in=10 out=12 calls=2", layer, dealt_as(group));
        ASSERT_EQ(wrong_with(parse_case(line), 1), "") << line;
      }
  });
}

// Fewer ranks than processes, and many more.
TEST(Mpi, HoweverManyRanksThereAre) {
  in_all([] {
    for (const char* line :
         {"op=gemm_rs tp=1 tokens=9 in=10 out=12", "op=gemm_ar tp=2 tokens=9 in=10 out=12",
          "op=gemm_rs tp=24 tokens=48 in=24 out=8", "op=row_linear pass=both tp=2 world=12 groups=offset:5 tokens=9"})
      ASSERT_EQ(wrong_with(parse_case(line)), "") << line;
  });
}

// Without the first signal: its counter stays one short of what another waits for.
Program without_a_signal(Program program) {
  for (PlanOp& op : program.calls.front().ops)
    if (std::holds_alternative<Signal>(op.body)) {
      op.body = Begin{};
      break;
    }
  return program;
}

void expect_told_as_on_the_host(const Case& a_case, const Program& program) {
  Memory memory = memory_of(a_case, program);
  const Walked walked = execute_in_team(program, memory, {.seed = 1});
  const Walked told = walk(program, first_in_order(), [](const Step&) {});
  ASSERT_FALSE(told.finished);
  ASSERT_FALSE(walked.finished);
  EXPECT_EQ(walked.ended, told.ended);
  EXPECT_EQ(describe_hang(program, walked), describe_hang(program, told));
}

TEST(Mpi, AHangIsAVerdictAndTheNextProgramRuns) {
  in_all([] {
    for (const char* line : {"op=ag_gemm tp=8 tokens=16 in=8 out=8", "op=gemm_rs tp=3 tokens=8 in=8 out=8 calls=2"}) {
      const Case a_case = parse_case(line);
      const auto start = std::chrono::steady_clock::now();
      expect_told_as_on_the_host(a_case, without_a_signal(correct_program(a_case)));
      EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15));
      EXPECT_EQ(wrong_with(a_case), "");
    }
  });
}

// The last process is given a matrix larger than any memory; all others wait for what it should have sent.
TEST(Mpi, WhatOneCannotDoIsOneSentenceAndTheNextProgramRuns) {
  in_all([] {
    const Case a_case = parse_case("op=gemm_rs tp=8 tokens=16 in=8 out=8");
    Program program = correct_program(a_case);
    for (PlanOp& op : program.calls.back().ops)
      if (auto* gemm = std::get_if<Gemm>(&op.body); gemm && op.rank == job().size - 1)
        gemm->a.values.rows = Index{1} << 59;
    Memory memory = memory_of(a_case, program);
    std::string sentence;
    try {
      execute_in_team(program, memory, {});
    } catch (const DeviceError& error) {
      sentence = error.what();
    }
    EXPECT_TRUE(sentence.starts_with(fmt::format("process {} of {}: ", job().size - 1, job().size))) << sentence;
    EXPECT_EQ(wrong_with(a_case), "");
  });
}

// What its leader throws ends a team's work in all of its processes.
TEST(Mpi, WhatTheLeaderThrowsEndsTheWork) {
  Team team = team_of(job(), job().size);
  const auto throws = [] { refuse("not this one"); };
  if (team.leads())
    EXPECT_THROW(in_team(team, throws), Refusal);
  else
    in_team(team, throws);
  in_team(team, [] { EXPECT_EQ(wrong_with(parse_case("op=gemm_rs tp=3 tokens=8 in=8 out=8")), ""); });
}

// Teams of two at work at once, each on programs of its own.
TEST(Mpi, TeamsDoNotMeet) {
  Team team = team_of(job(), 2);
  EXPECT_EQ(team.size, std::min<Index>(2, job().size - job().rank / 2 * 2));
  in_team(team, [] {
    for (Index number = 0; number < 10; ++number) {
      const Case a_case = draw_case(100 + static_cast<std::uint64_t>(job().rank), number, 0, {});
      ASSERT_EQ(wrong_with(a_case, 1), "") << print(a_case);
    }
  });
}

TEST(Mpi, ANumberOfNodesThatIsNoneIsRefusedInAllProcesses) {
  for (const char* text : {"0", "-1", "two", "1e3", ""}) {
    const Nodes on(text);
    EXPECT_THROW(team_of(job(), job().size), Refusal) << text;
  }
}

}  // namespace
}  // namespace lockstep
