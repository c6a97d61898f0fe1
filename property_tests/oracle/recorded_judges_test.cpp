// lockstep check --judge: each judge through the command, what a file may leave open, and what is refused.
#include "oracle/inputs/random.h"
#include "oracle/judges/recorded/declared_layer.h"
#include "oracle/judges/recorded/judge_freivalds.h"
#include "oracle/judges/recorded/judge_recorded.h"
#include "property_tests/oracle/recordings.h"
#include "property_tests/oracle/shell.h"
#include "property_tests/oracle/temporary_file.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string data = LOCKSTEP_TEST_DATA;
const std::string good = data + "/h200_gemm/bf16_bias.safetensors";

using Change = std::function<void(const std::string& name, Tensor&)>;

// The file anew, with other metadata and tensors.
struct Rewritten : TemporaryFile {
  Rewritten(
      const std::string& from, const Metadata& changes, const Change& change = [](const auto&, auto&) {});
  Rewritten(const std::string& from, const Metadata& changes, const std::string& tensor, std::uint32_t flipped)
      : Rewritten(from, changes, [&](const std::string& name, Tensor& t) {
          if (name == tensor) set_code(t, 1, 1, code_at(t, 1, 1) ^ flipped);
        }) {}
};

Rewritten::Rewritten(const std::string& from, const Metadata& changes, const Change& change) {
  const Safetensors file = read_safetensors(from);
  Metadata metadata = file.metadata;
  for (const auto& [key, value] : changes) metadata[key] = value;
  std::vector<NamedTensor> tensors;
  for (const StoredTensor& stored : file.tensors) {
    Tensor t = load(file, stored);
    change(stored.name, t);
    tensors.push_back({stored.name, {t.rows, t.cols}, std::move(t)});
  }
  write_safetensors(path, metadata, tensors);
}

TEST(RecordedJudges, BoundAgreesWithEveryRecording) {
  for (const std::string& path : recording_paths()) {
    const Ended ended = shell(fmt::format("$L check --judge bound '{}'", path));
    EXPECT_EQ(ended.code, 0) << ended.output;
    EXPECT_THAT(ended.output, AllOf(HasSubstr("judge bound (the order of sums withheld; largest |difference| is "),
                                    HasSubstr("1 dump, 0 disagree")));
  }
}

TEST(RecordedJudges, DeclaredIsWhatEveryRecordingGetsWithoutAFlag) {
  for (const std::string& path : recording_paths())
    for (const char* flag : {"", "--judge strongest", "--judge declared"}) {
      const Ended ended = shell(fmt::format("$L check {} '{}'", flag, path));
      EXPECT_EQ(ended.code, 0) << ended.output;
      EXPECT_THAT(ended.output, AllOf(HasSubstr(": 0 of "), HasSubstr("judge declared (")));
    }
}

TEST(RecordedJudges, AChangedCopyDisagrees) {
  for (const auto& [path, tensor] : {std::pair{good, "output"},
                                     {data + "/torch_symm_mem/rs_bf16_p4_s64_k128_n48.safetensors", "rank1.output"},
                                     {data + "/torch_symm_mem/ag_fp8_p2_s64_k64_n128.safetensors", "rank1.output"}}) {
    const Rewritten changed(path, {}, tensor, 0x8000);
    for (const char* flag : {"", "--judge bound", "--judge declared"}) {
      const Ended ended = shell(fmt::format("$L check {} {} {}", flag, changed.path, path));
      EXPECT_EQ(ended.code, 1) << ended.output;
      EXPECT_THAT(ended.output, AllOf(HasSubstr(fmt::format("disagree {}: 1 of ", changed.path)),
                                      HasSubstr(fmt::format("{}[1, 1] is", tensor)),
                                      HasSubstr("2 dumps, 1 disagree\nverdict: disagree")));
    }
  }
}

// One ulp, by the judge that is taken where none is asked for.
TEST(RecordedJudges, OneUlpIsFoundInAnyRecording) {
  for (const std::string& path : recording_paths()) {
    const bool is_layer = path.find("torch_symm_mem") != path.npos;
    const Rewritten changed(path, {}, is_layer ? "rank1.output" : "output", 1);
    const RecordedVerdict verdict = judge_recorded(changed.path, RecordedJudge::strongest);
    EXPECT_EQ(verdict.judge, "declared") << path;
    EXPECT_EQ(verdict.differing, 1) << path;
  }
}

TEST(RecordedJudges, TheJsonHasTheUtilisation) {
  const Ended ended = shell("$L check --judge bound --json - " + good);
  const auto file = nlohmann::json::parse(ended.output)["files"][0];
  EXPECT_EQ(file["judge"], "bound");
  EXPECT_GT(file["utilisation"], 0.5);
  EXPECT_LT(file["utilisation"], 1);
  EXPECT_EQ(file["unjudged"], 0);
}

TEST(RecordedJudges, OthersAreRefused) {
  for (const char* judge : {"exact", "''", "bound,declared", "BOUND"}) {
    const Ended ended = shell(fmt::format("$L check --judge {} {}", judge, good));
    EXPECT_EQ(ended.code, 2);
    EXPECT_THAT(ended.output, AllOf(HasSubstr("the judges of a recording are strongest, declared, bound, freivalds"),
                                    Not(HasSubstr("verdict"))));
  }
}

TEST(RecordedJudges, WhatDisagreesIsReadInWords) {
  const std::string four = data + "/torch_symm_mem/rs_bf16_p4_s64_k128_n48.safetensors";
  const RecordedLayer right = recorded_layer(read_safetensors(four));
  RecordedLayer without = right;
  std::ranges::fill(without.ranks[2].inputs.weight.bytes, std::byte{0});
  const std::vector<Tensor> sums = declared_outputs(without);
  const Rewritten tampered(four, {}, [&](const std::string& name, Tensor& t) {
    for (std::size_t rank = 0; rank < sums.size(); ++rank)
      if (name == fmt::format("rank{}.output", rank)) t = sums[rank];
  });
  const Ended text = shell("$L check " + tampered.path);
  EXPECT_EQ(text.code, 1);
  EXPECT_THAT(text.output, AllOf(HasSubstr("reads as the sum without rank 2 in "),
                                 HasSubstr(" elements (rows 0..63, columns 0..47, ranks 0..3)"),
                                 HasSubstr("pattern  output: "), HasSubstr("; ranks 0..3 of 4")));
  const auto json = nlohmann::json::parse(shell("$L check --json - " + tampered.path).output);
  const auto& file = json.at("files").at(0);
  const auto& reading = file.at("explanation").at("readings").at(0);
  EXPECT_EQ(reading.at("words"), "the sum without rank 2");
  EXPECT_EQ(reading.at("explains"), file.at("differing"));
  EXPECT_EQ(file.at("explanation").at("patterns").size(), 1u);
}

// What a file does not know is tried, and found.
TEST(RecordedJudges, WhatAFileDoesNotKnowIsFound) {
  const auto verdict_on = [](const std::string& file, const Metadata& changes) {
    return judge_recorded(Rewritten(data + file, changes).path);
  };
  const RecordedVerdict split = verdict_on("/h200_gemm/bf16.safetensors", {{"split_k", "unknown"}});
  EXPECT_EQ(split.judge, "declared");
  EXPECT_THAT(split.model, AllOf(HasSubstr("found among the orders known: Hopper"), Not(HasSubstr("split-K"))));
  const RecordedVerdict fast = verdict_on("/h200_gemm/fp8_fast.safetensors", {{"fast_accumulate", "unknown"}});
  EXPECT_EQ(fast.judge, "declared");
  EXPECT_THAT(fast.model, AllOf(HasSubstr("13 kept"), Not(HasSubstr("float sum"))));
  EXPECT_EQ(
      verdict_on("/h200_gemm/block128.safetensors", {{"split_k", "unknown"}, {"fast_accumulate", "unknown"}}).differing,
      0);
  const std::string four = "/torch_symm_mem/rs_bf16_p4_s64_k128_n48.safetensors";
  EXPECT_THAT(verdict_on(four, {{"reduction", "unknown"}}).model, HasSubstr("more give the same bits"));
  EXPECT_THAT(verdict_on(four, {}).model, Not(HasSubstr("found")));
  EXPECT_EQ(verdict_on(four, {{"reduction", "by_rank"}}).differing, 0);
  EXPECT_THAT(verdict_on(four, {{"reduction", "by_rank"}}).model, Not(HasSubstr("found")));
  EXPECT_GT(verdict_on(four, {{"reduction", "running_by_rank"}}).differing, 100);
}

std::string refusal_of(const std::string& file, const Metadata& changes, RecordedJudge judge) {
  try {
    judge_recorded(Rewritten(data + file, changes).path, judge);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "accepted";
}

TEST(RecordedJudges, MetadataThatIsNotKnownIsRefused) {
  const std::string rs = "/torch_symm_mem/rs_bf16_p4_s64_k128_n48.safetensors";
  EXPECT_THAT(refusal_of(rs, {{"reduction", "by_chance"}}, RecordedJudge::strongest),
              HasSubstr(R"(the metadata reduction="by_chance" is not among what can be judged: by_rank, own_first, )"));
  EXPECT_THAT(refusal_of("/torch_symm_mem/ag_bf16_p2_s64_k64_n64.safetensors", {{"reduction", "by_rank"}},
                         RecordedJudge::strongest),
              HasSubstr("an all_gather_gemm, which reduces nothing"));
  EXPECT_EQ(refusal_of(rs, {{"reduction", "unknown"}, {"fast_accumulate", "unknown"}}, RecordedJudge::strongest),
            "accepted");
}

TEST(RecordedJudges, FreivaldsTakesExactGemmsAlone) {
  EXPECT_THAT(refusal_of("/h200_gemm/bf16.safetensors", {}, RecordedJudge::freivalds),
              AllOf(HasSubstr(": the data is not exact: a sum of products can add up to"),
                    HasSubstr("judge freivalds takes small whole numbers")));
  EXPECT_THAT(refusal_of("/h200_gemm/fp8_slow.safetensors", {}, RecordedJudge::freivalds),
              HasSubstr("a sum of FP8 products"));
  EXPECT_THAT(refusal_of("/h200_gemm/block128.safetensors", {}, RecordedJudge::freivalds), HasSubstr("block"));
  EXPECT_THAT(refusal_of("/torch_symm_mem/rs_bf16_p4_s64_k128_n48.safetensors", {}, RecordedJudge::freivalds),
              HasSubstr("judge freivalds takes a gemm"));
}

Tensor whole_numbers(DType type, Index rows, Index cols, Index most, Random& random) {
  Matrix m(rows, cols);
  for (float& value : m.values) value = static_cast<float>(random.between(-most, most));
  return encode(type, m);
}

RecordedGemm exact_gemm(DType type, Random& random) {
  RecordedGemm recorded;
  recorded.inputs.input = whole_numbers(type, 20, 300, 3, random);
  recorded.inputs.weight = whole_numbers(type, 30, 300, 3, random);
  recorded.inputs.bias = whole_numbers(DType::bf16, 1, 30, 3, random);
  recorded.output = gemm(recorded.inputs, f32_in_order).output;
  return recorded;
}

TEST(RecordedJudges, FreivaldsFindsOneWrongElement) {
  Random random(19);
  for (const DType type : {DType::bf16, DType::e4m3})
    for (int n = 0; n < 20; ++n) {
      RecordedGemm recorded = exact_gemm(type, random);
      const RecordedVerdict right = judge_freivalds(recorded);
      EXPECT_EQ(right.judge, "freivalds");
      EXPECT_EQ(right.differing, 0);
      EXPECT_EQ(right.compared, 600);
      const Index i = random.between(0, 19), j = random.between(0, 29);
      const std::uint32_t code = code_at(recorded.output, i, j);
      set_code(recorded.output, i, j, code ^ (1u << random.between(0, 31)));
      const RecordedVerdict wrong = judge_freivalds(recorded);
      ASSERT_EQ(wrong.differing, 1);
      EXPECT_EQ(wrong.first.at(0).row, i);
      EXPECT_EQ(wrong.first.at(0).col, j);
      EXPECT_EQ(wrong.first.at(0).want, code);
    }
}

TEST(RecordedJudges, FreivaldsRefusesWhatAnAccumulatorMightCut) {
  Random random(23);
  RecordedGemm recorded = exact_gemm(DType::e4m3, random);
  for (Index k = 0; k < 300; ++k) set_code(recorded.inputs.input, 0, k, encode(DType::e4m3, 20.0f));
  recorded.fast_accumulate = true;
  EXPECT_THROW(judge_freivalds(recorded), Refusal);  // 300 products of 60 go beyond 2^14
  recorded = exact_gemm(DType::bf16, random);
  recorded.inputs.bias = encode(DType::f32, Matrix(1, 30));
  set_code(*recorded.inputs.bias, 0, 0, encode(DType::f32, 0x1p-20f));
  EXPECT_THROW(judge_freivalds(recorded), Refusal);  // the output would need more than 24 bits
}

}  // namespace
}  // namespace lockstep
