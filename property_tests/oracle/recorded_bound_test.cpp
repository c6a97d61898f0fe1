// Every recording by both judges: as it is it agrees, and any single element that is changed is found and named.
#include "oracle/inputs/random.h"
#include "oracle/judges/recorded/bounded_gemm.h"
#include "oracle/judges/recorded/bounded_layer.h"
#include "oracle/judges/recorded/declared_gemm.h"
#include "oracle/judges/recorded/declared_layer.h"
#include "oracle/judges/recorded/judge_bound.h"
#include "property_tests/oracle/recordings.h"
#include "reference/contract/refusal.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

constexpr int changes = 100;

struct Place {
  std::size_t output;
  Index row, col;
};

Place random_place(const RecordedOutputs& outputs, Random& random) {
  for (;;) {
    const auto n = static_cast<std::size_t>(random.between(0, std::ssize(outputs) - 1));
    const Tensor& t = *outputs[n].tensor;
    if (t.rows * t.cols > 0) return {n, random.between(0, t.rows - 1), random.between(0, t.cols - 1)};
  }
}

std::uint32_t code_of(const RecordedOutputs& outputs, const Place& at) {
  return code_at(*outputs[at.output].tensor, at.row, at.col);
}

// The verdict on a copy with one element changed.
template <typename Judge>
RecordedVerdict with_changed(RecordedOutputs outputs, const Place& at, std::uint32_t code, const Judge& judge) {
  Tensor copy = *outputs[at.output].tensor;
  set_code(copy, at.row, at.col, code);
  outputs[at.output].tensor = &copy;
  return judge(outputs);
}

void expect_named(const RecordedVerdict& verdict, const RecordedOutputs& outputs, const Place& at, std::uint32_t code) {
  ASSERT_EQ(verdict.differing, 1);
  EXPECT_FALSE(verdict.agrees());
  ASSERT_EQ(verdict.first.size(), 1u);
  const CodeDifference& named = verdict.first[0];
  EXPECT_EQ(named.tensor, outputs[at.output].name);
  EXPECT_EQ(named.row, at.row);
  EXPECT_EQ(named.col, at.col);
  EXPECT_EQ(named.got, code);
}

// The next code up or down in size; of a zero, up.
std::uint32_t next_code(DType type, std::uint32_t code, bool up) {
  const std::uint32_t magnitude = code & ~(1u << (format(type).bits - 1));
  return up || magnitude == 0 ? code + 1 : code - 1;
}

// The first code at least twice the bound away from the value; none where the type ends before.
std::optional<std::uint32_t> twice_beyond(DType type, const Bounded& wanted, bool up) {
  const double beyond = wanted.value + (up ? 2 : -2) * wanted.error();
  if (!(std::abs(beyond) < format(type).largest)) return std::nullopt;
  std::uint32_t code = encode(type, static_cast<float>(beyond));
  const auto far = [&] { return std::abs(decode(type, code) - wanted.value) >= 2 * wanted.error(); };
  while (!far()) code = next_code(type, code, (decode(type, code) > 0) == up || decode(type, code) == 0);
  return std::isfinite(decode(type, code)) ? std::optional(code) : std::nullopt;
}

class EveryRecording : public testing::TestWithParam<std::string> {
 protected:
  const Recording recording = read_recording(GetParam());

  template <typename F>
  void on_it(const F& f) const {
    std::visit(f, recording);
  }
};

TEST_P(EveryRecording, OneUlpAnywhereIsFoundByTheJudgeDeclared) {
  on_it([](const auto& recorded) {
    const RecordedOutputs outputs = outputs_of(recorded);
    const std::vector<Tensor> wanted = declared_outputs(recorded);
    const auto judge = [&](const RecordedOutputs& got) { return compared(got, wanted); };
    ASSERT_EQ(judge(outputs).differing, 0);
    Random random(7);
    for (int change = 0; change < changes; ++change) {
      const Place at = random_place(outputs, random);
      const std::uint32_t code = next_code(outputs[at.output].tensor->dtype, code_of(outputs, at), random.coin());
      expect_named(with_changed(outputs, at, code, judge), outputs, at, code);
    }
  });
}

TEST_P(EveryRecording, TwiceTheBoundAnywhereIsFoundByTheJudgeBound) {
  on_it([](const auto& recorded) {
    const RecordedOutputs outputs = outputs_of(recorded);
    const std::vector<MatrixOf<Bounded>> wanted = bounded_outputs(recorded);
    const auto judge = [&](const RecordedOutputs& got) { return judge_bound(got, wanted); };
    const RecordedVerdict verdict = judge(outputs);
    ASSERT_EQ(verdict.differing, 0) << describe(verdict.first[0]);
    EXPECT_LT(verdict.utilisation.largest, 1);
    EXPECT_GT(verdict.utilisation.largest, 0);
    EXPECT_EQ(verdict.utilisation.unjudged, 0);
    Random random(8);
    for (int change = 0; change < changes;) {
      const Place at = random_place(outputs, random);
      const Bounded& want = wanted[at.output](at.row, at.col);
      const auto code = twice_beyond(outputs[at.output].tensor->dtype, want, random.coin());
      if (!code) continue;
      ++change;
      expect_named(with_changed(outputs, at, *code, judge), outputs, at, *code);
    }
  });
}

TEST_P(EveryRecording, ANaNIsNeverCloseToANumber) {
  on_it([](const auto& recorded) {
    const RecordedOutputs outputs = outputs_of(recorded);
    const std::vector<MatrixOf<Bounded>> wanted = bounded_outputs(recorded);
    Random random(9);
    const Place at = random_place(outputs, random);
    const auto nan = static_cast<std::uint32_t>(0xFFFFFFFF >> (32 - format(outputs[at.output].tensor->dtype).bits));
    expect_named(with_changed(outputs, at, nan, [&](const RecordedOutputs& got) { return judge_bound(got, wanted); }),
                 outputs, at, nan);
  });
}

std::string test_name(const testing::TestParamInfo<std::string>& path) {
  std::string text = std::filesystem::path(path.param).stem().string();
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return fmt::format("{}_{}", text, path.index);
}
INSTANTIATE_TEST_SUITE_P(Files, EveryRecording, testing::ValuesIn(recording_paths()), test_name);

// The bound of an output in BF16 is hardly more than its rounding: it is not ten times too wide.
TEST(RecordedBound, IsNearlyReachedByARounding) {
  for (const char* file : {"bf16_bias", "bf16_nobias", "bf16_beta"}) {
    const auto recorded = read_recorded_gemm(fmt::format("{}/h200_gemm/{}.safetensors", LOCKSTEP_TEST_DATA, file));
    EXPECT_GT(judge_bound(recorded).utilisation.largest, 0.8) << file;
  }
}

TEST(RecordedBound, SaysWhatItIs) {
  auto recorded = read_recorded_gemm(LOCKSTEP_TEST_DATA "/h200_gemm/bf16_bias.safetensors");
  const RecordedVerdict good = judge_bound(recorded);
  EXPECT_EQ(good.judge, "bound");
  EXPECT_EQ(good.model, fmt::format("the order of sums withheld; largest |difference| is {:.2g} of its bound",
                                    good.utilisation.largest));
  set_code(recorded.output, 2, 3, code_at(recorded.output, 2, 3) ^ 0x8000);
  const RecordedVerdict bad = judge_bound(recorded);
  EXPECT_EQ(bad.differing, 1);
  EXPECT_NE(describe(bad.first.at(0)).find("), to within "), std::string::npos);
}

// Inputs so large that some order overflows: nothing can be said, and that is said.
TEST(RecordedBound, RefusesWhereNoElementHasABound) {
  auto recorded = read_recorded_gemm(LOCKSTEP_TEST_DATA "/h200_gemm/bf16.safetensors");
  for (Tensor* operand : {&recorded.inputs.input, &recorded.inputs.weight})
    for (Index i = 0; i < operand->rows; ++i)
      for (Index k = 0; k < operand->cols; ++k) set_code(*operand, i, k, 0x7F00);
  EXPECT_THROW(judge_bound(recorded), Refusal);
}

}  // namespace
}  // namespace lockstep
