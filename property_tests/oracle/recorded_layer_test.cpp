// Recorded outputs of PyTorch's overlapped operations, and what is done to them.
#include "oracle/inputs/recorded_layer.h"

#include "oracle/inputs/random.h"
#include "oracle/judges/recorded/declared_layer.h"
#include "oracle/judges/recorded/judge_recorded.h"
#include "property_tests/oracle/temporary_file.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::HasSubstr;

RecordedLayer load_layer(const std::string& name) {
  return recorded_layer(read_safetensors(LOCKSTEP_TEST_DATA "/torch_symm_mem/" + name + ".safetensors"));
}

class RecordedLayers : public testing::TestWithParam<const char*> {
 protected:
  RecordedLayer layer = load_layer(GetParam());
};

TEST_P(RecordedLayers, AgreeInEveryBit) {
  const RecordedVerdict verdict = judge_declared(layer);
  EXPECT_EQ(verdict.differing, 0);
  Index elements = 0;
  for (const RecordedRank& rank : layer.ranks) elements += rank.output.rows * rank.output.cols;
  EXPECT_EQ(verdict.compared, elements);
}

TEST_P(RecordedLayers, OneUlpAnywhereIsFoundAndNamed) {
  Random random(7);
  for (int change = 0; change < 100; ++change) {
    const Index rank = random.between(0, layer.problem.tp - 1);
    RecordedLayer tampered = layer;
    Tensor& got = tampered.ranks[static_cast<std::size_t>(rank)].output;
    const Index i = random.between(0, got.rows - 1), j = random.between(0, got.cols - 1);
    set_code(got, i, j, code_at(got, i, j) ^ 1);
    const RecordedVerdict verdict = judge_declared(tampered);
    ASSERT_EQ(verdict.differing, 1);
    EXPECT_THAT(describe(verdict.first[0]), testing::StartsWith(fmt::format("rank{}.output[{}, {}] is", rank, i, j)));
  }
}

TEST_P(RecordedLayers, ExchangedOutputsAreFound) {
  std::swap(layer.ranks[0].output, layer.ranks[1].output);
  EXPECT_GT(judge_declared(layer).differing, 0);
}

TEST_P(RecordedLayers, AnotherRanksInputIsFound) {
  std::swap(layer.ranks[0].inputs.input, layer.ranks[1].inputs.input);
  EXPECT_GT(judge_declared(layer).differing, 0);
}

INSTANTIATE_TEST_SUITE_P(Torch, RecordedLayers,
                         testing::Values("ag_bf16_p2_s24_k96_n80", "ag_bf16_p2_s64_k64_n64", "ag_fp8_p2_s64_k64_n128",
                                         "rs_bf16_p2_s64_k128_n48", "rs_bf16_p4_s64_k128_n48",
                                         "rs_fp8_p2_s64_k256_n64"),
                         [](const testing::TestParamInfo<const char*>& file) { return std::string(file.param); });

TEST(RecordedLayer, AnotherRanksScaleIsFound) {
  for (const char* file : {"ag_fp8_p2_s64_k64_n128", "rs_fp8_p2_s64_k256_n64"}) {
    RecordedLayer layer = load_layer(file);
    std::swap(layer.ranks[0].inputs.weight_scale, layer.ranks[1].inputs.weight_scale);
    EXPECT_GT(judge_declared(layer).differing, 0) << file;
  }
}

TEST(RecordedLayer, TheModelIsSaidInWords) {
  EXPECT_THAT(judge_declared(load_layer("rs_bf16_p4_s64_k128_n48")).model,
              HasSubstr("partials rounded to bf16, summed in float in the order of the ranks, rounded to bf16"));
  EXPECT_THAT(judge_declared(load_layer("ag_fp8_p2_s64_k64_n128")).model, HasSubstr("rows gathered"));
}

TEST(RecordedLayer, AMissingContributionIsFound) {
  RecordedLayer layer = load_layer("rs_bf16_p4_s64_k128_n48");
  std::fill(layer.ranks[2].inputs.weight.bytes.begin(), layer.ranks[2].inputs.weight.bytes.end(), std::byte{0});
  EXPECT_GT(judge_declared(layer).differing, 1000);
}

// The type of the reduction shows: with a running sum in BF16 the four ranks' file does not come out.
TEST(RecordedLayer, ARunningSumInBf16IsNotWhatWasRecorded) {
  const RecordedLayer layer = load_layer("rs_bf16_p4_s64_k128_n48");
  Matrix sum(64, 48);
  for (const RecordedRank& rank : layer.ranks) {
    const Tensor partial = gemm(rank.inputs, hopper_16bit).output;
    for (Index i = 0; i < 64; ++i)
      for (Index j = 0; j < 48; ++j) sum(i, j) = round_to(DType::bf16, sum(i, j) + value_at(partial, i, j));
  }
  Index differing = 0;
  for (Index i = 0; i < 64; ++i)
    for (Index j = 0; j < 48; ++j)
      differing += value_at(layer.ranks[static_cast<std::size_t>(i / 16)].output, i % 16, j) != sum(i, j);
  EXPECT_GT(differing, 100);
}

NamedTensor named(const std::string& name, DType type, Index rows, Index cols) {
  Matrix values(rows, cols);
  for (std::size_t i = 0; i < values.values.size(); ++i) values.values[i] = static_cast<float>(i % 5) - 2;
  return {name, {rows, cols}, encode(type, values)};
}

// Two ranks, three tokens, five features in, four out: rank 0 has two tokens and three features.
std::vector<NamedTensor> uneven_reduce_scatter() {
  return {named("rank0.input", DType::bf16, 3, 3),  named("rank0.weight", DType::bf16, 4, 3),
          named("rank0.output", DType::bf16, 2, 4), named("rank1.input", DType::bf16, 3, 2),
          named("rank1.weight", DType::bf16, 4, 2), named("rank1.output", DType::bf16, 1, 4)};
}

const Metadata uneven{
    {"op", "gemm_reduce_scatter"}, {"tp", "2"}, {"tokens", "3"}, {"in_features", "5"}, {"out_features", "4"}};

std::string refusal_of(const Metadata& metadata, const std::vector<NamedTensor>& tensors) {
  const TemporaryFile file("");
  write_safetensors(file.path, metadata, tensors);
  try {
    judge_recorded(file.path);
    return "accepted";
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
}

Metadata with(Metadata metadata, const std::string& key, const std::string& value) {
  metadata[key] = value;
  return metadata;
}

TEST(RecordedLayer, UnevenShardsAreRead) { EXPECT_EQ(refusal_of(uneven, uneven_reduce_scatter()), "accepted"); }

TEST(RecordedLayer, IsExactOnSmallIntegers) {
  const TemporaryFile file("");
  write_safetensors(file.path, uneven, uneven_reduce_scatter());
  const RecordedLayer layer = recorded_layer(read_safetensors(file.path));
  const std::vector<Tensor> want = declared_outputs(layer);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 4; ++j) {
      float sum = 0;
      for (const RecordedRank& rank : layer.ranks)
        for (Index k = 0; k < rank.inputs.input.cols; ++k)
          sum += value_at(rank.inputs.input, i, k) * value_at(rank.inputs.weight, j, k);
      EXPECT_EQ(value_at(want[i < 2 ? 0 : 1], i < 2 ? i : 0, j), sum);
    }
}

NamedTensor filled(const std::string& name, Index rows, Index cols, float value) {
  Matrix values(rows, cols);
  std::fill(values.values.begin(), values.values.end(), value);
  return {name, {rows, cols}, encode(DType::bf16, values)};
}

// Three ranks, two tokens and two features out, so that the last rank has neither. A row is -2 -1 0 1, so an output 6.
TEST(RecordedLayer, AnAllGatherWithAnEmptyShareIsExactOnSmallIntegers) {
  std::vector<NamedTensor> tensors;
  for (Index rank = 0; rank < 3; ++rank) {
    const Index share = part(2, 3, rank).size();
    tensors.push_back(named(fmt::format("rank{}.input", rank), DType::bf16, share, 4));
    tensors.push_back(named(fmt::format("rank{}.weight", rank), DType::bf16, share, 4));
    tensors.push_back(filled(fmt::format("rank{}.output", rank), 2, share, 6));
  }
  const TemporaryFile file("");
  write_safetensors(
      file.path, {{"op", "all_gather_gemm"}, {"tp", "3"}, {"tokens", "2"}, {"in_features", "4"}, {"out_features", "2"}},
      tensors);
  const RecordedVerdict verdict = judge_recorded(file.path);
  EXPECT_EQ(verdict.compared, 4);
  EXPECT_EQ(verdict.differing, 0);
}

TEST(RecordedLayer, RefusesInASentence) {
  const auto good = uneven_reduce_scatter();
  EXPECT_THAT(refusal_of(with(uneven, "op", "all_reduce"), good),
              AllOf(HasSubstr("all_reduce"), HasSubstr("all_gather_gemm")));
  EXPECT_THAT(refusal_of(with(uneven, "tp", "0"), good), AllOf(HasSubstr("tp="), HasSubstr("from 1 to 72")));
  EXPECT_THAT(refusal_of(with(uneven, "tp", "two"), good), HasSubstr("tp="));
  EXPECT_THAT(refusal_of(with(uneven, "tp", "3"), good), HasSubstr("rank0"));
  EXPECT_THAT(refusal_of(with(uneven, "tokens", "4"), good),
              AllOf(HasSubstr("rank0.input is 3 x 3"), HasSubstr("4 x 3")));
  EXPECT_THAT(refusal_of(with(uneven, "tp", "1"), good), HasSubstr("rank1.input"));
  EXPECT_THAT(refusal_of(with(uneven, "op", "all_gather_gemm"), good), HasSubstr("by the metadata"));
  Metadata no_tokens = uneven;
  no_tokens.erase("tokens");
  EXPECT_THAT(refusal_of(no_tokens, good), HasSubstr("no tokens"));
  auto missing = good;
  missing.pop_back();
  EXPECT_THAT(refusal_of(uneven, missing), HasSubstr("no tensor rank1.output"));
  auto other_type = good;
  other_type[3] = named("rank1.input", DType::fp16, 3, 2);
  EXPECT_THAT(refusal_of(uneven, other_type), HasSubstr("alike"));
  auto one_scale = good;
  one_scale.push_back(named("rank0.input_scale_inv", DType::f32, 1, 1));
  EXPECT_THAT(refusal_of(uneven, one_scale), HasSubstr("only those of one byte have scales"));
  auto fp8 = good;
  for (std::size_t i : {0u, 1u, 3u, 4u}) fp8[i].tensor = encode(DType::e4m3, decode(fp8[i].tensor));
  EXPECT_EQ(refusal_of(uneven, fp8), "accepted");
  fp8.push_back(named("rank0.input_scale_inv", DType::f32, 1, 1));
  EXPECT_THAT(refusal_of(uneven, fp8), HasSubstr("has no tensor rank0.weight_scale_inv"));
  EXPECT_THAT(refusal_of(with(uneven, "fast_accumulate", "1"), good), HasSubstr("fast_accumulate=1 of BF16"));
  auto integers = good;
  integers.push_back(named("rank0.bias", DType::bf16, 1, 4));
  EXPECT_THAT(refusal_of(uneven, integers), HasSubstr("rank0.bias"));
}

// As of a gemm: what would change the arithmetic is not passed over.
TEST(RecordedLayer, RefusesMetadataThatWouldChangeTheMeaning) {
  const auto good = uneven_reduce_scatter();
  const std::tuple<const char*, const char*, const char*> changes[] = {
      {"alpha", "1", "2"}, {"beta", "0", "1"}, {"recipe", "tensor", "block128"}, {"split_k", "1", "2"}};
  for (const auto& [key, usual, other] : changes) {
    EXPECT_EQ(refusal_of(with(uneven, key, usual), good), "accepted");
    EXPECT_THAT(
        refusal_of(with(uneven, key, other), good),
        HasSubstr(fmt::format("the metadata {}=\"{}\" is not among what can be judged: {}", key, other, usual)));
  }
}

}  // namespace
}  // namespace lockstep
