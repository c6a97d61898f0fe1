// How two cases, dumps and runs differ.
#include "oracle/diagnosis/difference.h"
#include "property_tests/oracle/shell.h"
#include "property_tests/oracle/temporary_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Tensor tensor(DType type, Index rows, Index cols, const std::vector<float>& values) {
  Matrix m(rows, cols);
  m.values = values;
  return encode(type, m);
}

constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

TEST(Difference, CountsElementsAndSaysTheFirstTheLargestAndTheMagnitude) {
  const auto all =
      difference("t", tensor(DType::f32, 2, 2, {1, 2, 3, -80}), tensor(DType::f32, 2, 2, {1, 2.5, 7, -80}));
  EXPECT_EQ(all.elements, 4);
  EXPECT_EQ(all.differing, 2);
  EXPECT_EQ(all.row, 0);
  EXPECT_EQ(all.col, 1);
  EXPECT_EQ(all.largest, 4);
  EXPECT_EQ(all.magnitude, 80);
  EXPECT_EQ(all.nans, 0);
}

TEST(Difference, TwoNansAreOneAndANanIsNoNumber) {
  const auto all =
      difference("t", tensor(DType::f32, 1, 4, {nan, nan, 1, inf}), tensor(DType::f32, 1, 4, {nan, 1, nan, inf}));
  EXPECT_EQ(all.differing, 2);
  EXPECT_EQ(all.nans, 2);
  EXPECT_EQ(all.col, 1);
  EXPECT_EQ(all.largest, 0);
}

TEST(Difference, ZerosOfTwoSignsDifferInOneFormat) {
  EXPECT_TRUE(difference("t", tensor(DType::f32, 1, 1, {0.0f}), tensor(DType::f32, 1, 1, {-0.0f})).differs());
}

TEST(Difference, OfTwoFormatsIsByValue) {
  EXPECT_FALSE(difference("t", tensor(DType::f32, 1, 2, {1.5, nan}), tensor(DType::bf16, 1, 2, {1.5, nan})).differs());
  EXPECT_TRUE(difference("t", tensor(DType::f32, 1, 1, {1.001f}), tensor(DType::bf16, 1, 1, {1.001f})).differs());
}

TEST(Difference, OfTwoShapesIsInWords) {
  EXPECT_EQ(difference("t", tensor(DType::f32, 1, 2, {1, 2}), tensor(DType::f32, 2, 1, {1, 2})).why,
            "shapes 1 x 2 and 2 x 1");
}

RC_GTEST_PROP(Difference, OneElementChangedIsFound, ()) {
  const Index rows = *rc::gen::inRange(1, 9), cols = *rc::gen::inRange(1, 9);
  const Tensor a = tensor(DType::bf16, rows, cols, std::vector<float>(static_cast<std::size_t>(rows * cols), 1));
  const Index row = *rc::gen::inRange<Index>(0, rows), col = *rc::gen::inRange<Index>(0, cols);
  Tensor b = a;
  set_code(b, row, col, code_at(a, row, col) ^ (1u << *rc::gen::inRange(0, 16)));
  const TensorDifference all = difference("t", a, b);
  RC_ASSERT(all.differing == 1 && all.row == row && all.col == col);
  RC_ASSERT(!difference("t", a, a).differs());
}

std::string shell_quoted(const std::string& text) { return "'" + text + "'"; }
Ended diff(const std::string& a, const std::string& b, const std::string& more = "") {
  return shell("$L diff " + more + " " + shell_quoted(a) + " " + shell_quoted(b));
}

TEST(DiffCommand, OfTwoCases) {
  EXPECT_EQ(diff("tp=2 splits=2", "tp=2 splits=4").code, 0);
  const Ended ended = diff("op=gemm_rs tp=2", "op=gemm_rs tp=2 fault=bias_not_advanced");
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("call 0, y, rank 0"), HasSubstr("[0, 4]: "), HasSubstr("2 of 2 tensors")));
  EXPECT_THAT(diff("tp=2", "tp=3").output, AllOf(HasSubstr("shapes 4 x 8 and 3 x 8"), HasSubstr("only in B")));
  EXPECT_THAT(diff("tp=2", "op=row_linear pass=both tp=2").output, HasSubstr("call 0, dx"));
  EXPECT_THAT(diff("tp=2 calls=2", "tp=2").output, HasSubstr("call 1, y, rank 0            only in A"));
}

TEST(DiffCommand, OfTwoDumps) {
  const TemporaryFile a, b;
  const Tensor one = tensor(DType::bf16, 1, 3, {1, 2, 3}), other = tensor(DType::bf16, 1, 3, {1, 2, 4});
  write_safetensors(a.path, {}, {{"same", {3}, one}, {"x", {3}, one}, {"shape", {3}, one}, {"a", {3}, one}});
  write_safetensors(b.path, {}, {{"same", {3}, one}, {"x", {3}, other}, {"shape", {1, 3}, one}, {"b", {3}, one}});
  const Ended ended = diff(a.path, b.path);
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("[0, 2]: 3 (0x4040), 4 (0x4080)"), HasSubstr("shapes [3] and [1, 3]"),
                                  HasSubstr("only in A"), HasSubstr("only in B"), HasSubstr("4 of 5 tensors differ")));
  EXPECT_EQ(diff(a.path, a.path).code, 0);
}

TEST(DiffCommand, OfTwoRuns) {
  const TemporaryFile a, b;
  shell("$L run --case 'op=gemm_rs tp=2' --json " + a.path);
  shell("$L run --case 'op=gemm_rs tp=2 fault=rank_missing' --json " + b.path);
  EXPECT_EQ(diff(a.path, a.path).code, 0);
  const auto json = nlohmann::json::parse(diff(a.path, b.path, "--json -").output);
  EXPECT_EQ(json["verdict"], "disagree");
  EXPECT_THAT(json["fields"].dump(),
              AllOf(HasSubstr("rank_missing"), HasSubstr("\"agree\""), Not(HasSubstr("seconds"))));
  EXPECT_EQ(diff(a.path, b.path).code, 1);
}

TEST(DiffCommand, BadInputIsASentenceAndExitCode2) {
  const TemporaryFile empty, text("{\"a\": 1}"), dump, no_case(R"({"failures": [{}]})");
  write_safetensors(dump.path, {}, {});
  const std::pair<std::string, std::string> bad[] = {{"tp=0", "tp=2"},
                                                     {"tp=2", dump.path},
                                                     {text.path, text.path},
                                                     {empty.path, empty.path},
                                                     {"/nowhere/a", "/nowhere"},
                                                     {no_case.path, no_case.path},
                                                     {"tp=2 executor=provenance", "tp=2"},
                                                     {"op=ag_gemm tp=3 fault=receive_before_send", "op=ag_gemm tp=3"}};
  for (const auto& [a, b] : bad) {
    const Ended ended = diff(a, b);
    EXPECT_EQ(ended.code, 2) << a << " " << b << ": " << ended.output;
    EXPECT_THAT(ended.output, HasSubstr("lockstep: ")) << a;
  }
  EXPECT_EQ(diff(dump.path, dump.path, "--json " + dump.path).code, 2);
  EXPECT_EQ(shell("$L diff tp=2").code, 2);
}

}  // namespace
}  // namespace lockstep
