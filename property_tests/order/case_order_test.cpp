// The order in which a plan sums is the one that is declared for its method, for every owner; faults of it show.
#include "oracle/order/case_order.h"

#include "oracle/campaign/cells.h"
#include "oracle/order/reduction_probe.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<OrderFound> orders_of_line(const std::string& line) { return orders_of(parse_case(line).first()); }

const auto agrees = Field("agrees", &OrderFound::agrees, true);

const char* reducing[] = {"op=gemm_rs method=pipeline splits=3",
                          "op=gemm_rs method=ring_exchange",
                          "op=gemm_rs method=accumulate",
                          "op=gemm_ar splits=2",
                          "op=column_linear pass=backward dgrad=bulk",
                          "op=column_linear pass=backward frozen=1 dgrad=pipeline",
                          "op=column_linear pass=backward frozen=1 dgrad=ring_exchange",
                          "op=column_linear pass=backward frozen=1 dgrad=accumulate",
                          "op=row_linear pass=both method=ring_exchange"};

TEST(CaseOrder, IsTheDeclaredOneForEveryMethodAndNumberOfRanks) {
  for (const char* line : reducing)
    for (int tp = 2; tp <= 9; ++tp) {
      const auto orders = orders_of_line(fmt::format("{} tp={} in=40 out=40", line, tp));
      for (const OrderFound& found : orders)
        EXPECT_TRUE(found.agrees) << line << " tp " << tp << ": " << found.what << ", " << found.where << ": "
                                  << found.found << " instead of " << found.declared;
      EXPECT_THAT(orders, Contains(Field(&OrderFound::what, HasSubstr("over the ranks")))) << line;
      EXPECT_THAT(orders, Contains(Field(&OrderFound::what, HasSubstr("type of a contribution")))) << line;
      EXPECT_THAT(orders, Contains(Field(&OrderFound::what, HasSubstr("over K")))) << line;
    }
}

// Independent of what is declared: the order in words, of the rows of one rank.
TEST(CaseOrder, IsWhatTheMethodsHeadersSay) {
  const auto of_rank_1 = [](const std::string& line) {
    for (const OrderFound& found : orders_of_line(line + " tp=4"))
      if (found.what == "forward, sum over the ranks" &&
          (found.where == "rows of rank 1" || found.where == "every rank"))
        return found.found;
    return std::string("none");
  };
  EXPECT_EQ(of_rank_1("method=pipeline"), "0..3: one at a time");
  EXPECT_EQ(of_rank_1("method=ring_exchange"), "0..1, 3..2: one at a time");
  EXPECT_EQ(of_rank_1("method=accumulate"), "2..3, 0..1: one at a time");
}

Call call_of_cell(const Cell& cell, Index tp, std::uint64_t seed) {
  Call call = with_cell({}, cell);
  call.tp = call.is_layer() ? std::max<Index>(tp, 2) : tp;
  call.in = 23, call.out = 31, call.splits = 3;
  call.executor = {ExecutorKind::adversary, seed};
  return resolved(call);
}

RC_GTEST_PROP(CaseOrder, IsTheDeclaredOneInEveryCell, ()) {
  const Cell cell = *rc::gen::elementOf(all_cells());
  if (cell.recipe != RecipeKind::none) return;
  const Call call = call_of_cell(cell, *rc::gen::inRange<Index>(1, 6), *rc::gen::inRange<std::uint64_t>(0, 100));
  for (const OrderFound& found : orders_of(call)) {
    RC_LOG() << found.what << ", " << found.where << ": " << found.found << " instead of " << found.declared;
    RC_ASSERT(found.agrees);
  }
}

TEST(CaseOrder, HoldsInEveryTypeOfTheWire) {
  for (const char* line : reducing)
    for (const char* wire : {"f32", "bf16", "fp16"})
      for (const char* dtype : {"f32", "bf16", "fp16"}) {
        if (std::string(line).find("bulk") != std::string::npos && std::string(wire) != dtype) continue;
        EXPECT_THAT(orders_of_line(fmt::format("{} tp=4 dtype={} wire={}", line, dtype, wire)), Each(agrees))
            << line << " " << dtype << " " << wire;
      }
}

// Which line says that a fault was put in.
void expect_seen(const std::string& line, const char* what, const char* found) {
  EXPECT_THAT(orders_of_line(line),
              Contains(AllOf(Field(&OrderFound::agrees, false), Field(&OrderFound::what, HasSubstr(what)),
                             Field(&OrderFound::found, HasSubstr(found)))))
      << line;
}

TEST(CaseOrder, ShowsFaultsOfOrderAndPrecision) {
  for (const char* op : {"op=gemm_rs method=pipeline", "op=gemm_rs method=ring_exchange", "op=gemm_ar",
                         "op=column_linear pass=backward dgrad=bulk"}) {
    for (int tp : {3, 4, 7})
      expect_seen(fmt::format("{} tp={} fault=reduction_reversed", op, tp), "over the ranks", "one at a time");
    expect_seen(fmt::format("{} tp=4 fault=running_sum_rounded", op), "type of the sum", "bf16");
    expect_seen(fmt::format("{} tp=4 fault=rank_missing", op), "over the ranks", "no whole number");
  }
  expect_seen("method=accumulate wire=f32 tp=3 fault=narrower_wire", "type of the sum", "bf16");
  for (const char* method : {"pipeline", "ring_exchange", "accumulate"})
    expect_seen(fmt::format("method={} wire=fp16 tp=3 fault=narrower_wire", method), "type of a contribution", "bf16");
}

TEST(CaseOrder, ShowsWhatIsReadTooEarly) {
  expect_seen("tp=4 fault=reduce_before_ready executor=adversary:3", "over the ranks", "nan");
  expect_seen("tp=4 method=ring_exchange fault=use_before_arrival executor=adversary:1", "over the ranks", "nan");
}

TEST(CaseOrder, SaysOnceOnlyWhatIsAlikeOnEveryRank) {
  const auto lines = [](const std::string& line) {
    return std::ranges::count(orders_of_line(line), "forward, sum over the ranks", &OrderFound::what);
  };
  EXPECT_EQ(lines("tp=3"), 1);
  EXPECT_EQ(lines("tp=3 method=ring_exchange"), 3);
  EXPECT_EQ(lines("tp=3 splits=1 fault=own_contribution_only"), 3);
}

TEST(CaseOrder, LooksAtEverySplitAndHalf) {
  const Call call = parse_case("tp=3 splits=4").first();
  EXPECT_EQ(probe_reduction(call, Pass::forward).size(), 3u * 4);
  const Call travelling = parse_case("tp=3 method=accumulate").first();
  EXPECT_EQ(probe_reduction(travelling, Pass::forward).size(), 3u * 2);
  const Call everywhere = parse_case("op=gemm_ar tp=3 splits=2").first();
  EXPECT_EQ(probe_reduction(everywhere, Pass::forward).size(), 3u * 3 * 2);
}

TEST(CaseOrder, IsThatOfTheCasesArithmetic) {
  for (const char* line :
       {"op=ag_gemm tp=3 in=64", "op=gemm_rs tp=2 in=100", "op=row_linear pass=both tp=2 in=33 out=90"}) {
    const auto orders = orders_of_line(std::string(line) + " arithmetic=hopper");
    EXPECT_THAT(orders, Each(agrees)) << line;
    EXPECT_THAT(orders, Contains(Field(&OrderFound::found, HasSubstr("16 at a time")))) << line;
  }
}

TEST(CaseOrder, RefusesARecipe) {
  EXPECT_THROW(orders_of_line("recipe=mxfp8"), Refusal);
  EXPECT_THROW(orders_of_line("recipe=delayed wire=fp8"), Refusal);
}

}  // namespace
}  // namespace lockstep
