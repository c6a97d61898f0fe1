// Recorded outputs of cuBLASLt 13.1 on an H200: the declared arithmetic gives every bit of them, and a single wrong bit
// shows; and what a recorded gemm must say of itself.
#include "oracle/inputs/recorded_gemm.h"

#include "oracle/judges/recorded/declared_gemm.h"
#include "property_tests/oracle/temporary_file.h"
#include "reference/contract/refusal.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

namespace lockstep {
namespace {

std::string path_of(const std::string& name) { return LOCKSTEP_TEST_DATA "/h200_gemm/" + name + ".safetensors"; }

class Recorded : public testing::TestWithParam<const char*> {};

TEST_P(Recorded, AgreesInEveryBit) {
  const RecordedGemm recorded = read_recorded_gemm(path_of(GetParam()));
  const RecordedVerdict verdict = judge_declared(recorded);
  EXPECT_EQ(verdict.compared, recorded.output.rows * recorded.output.cols + (recorded.output_amax ? 1 : 0));
  EXPECT_GE(verdict.compared, 4096);
  EXPECT_EQ(verdict.differing, 0) << verdict.model << "\n" << (verdict.first.empty() ? "" : describe(verdict.first[0]));
}

TEST_P(Recorded, OneUlpAtOneElementIsNamed) {
  RecordedGemm recorded = read_recorded_gemm(path_of(GetParam()));
  const Index row = recorded.output.rows - 1, col = 3;
  const std::uint32_t code = code_at(recorded.output, row, col);
  set_code(recorded.output, row, col, code + 1);
  const RecordedVerdict verdict = judge_declared(recorded);
  EXPECT_EQ(verdict.differing, 1);
  ASSERT_EQ(verdict.first.size(), 1u);
  const CodeDifference& named = verdict.first[0];
  EXPECT_EQ(named.tensor, "output");
  EXPECT_EQ(named.row, row);
  EXPECT_EQ(named.col, col);
  EXPECT_EQ(named.got, code + 1);
  EXPECT_EQ(named.want, code);
}

INSTANTIATE_TEST_SUITE_P(H200, Recorded,
                         testing::Values("bf16", "bf16_beta", "bf16_bias", "bf16_nobias", "block128", "e5m2_e4m3",
                                         "fp16", "fp8_bf16_bias", "fp8_f32", "fp8_fast", "fp8_fp8_bias", "fp8_slow"),
                         [](const auto& name_of) { return std::string(name_of.param); });

// The judge must be able to tell: each rule left out or changed shows in some recorded output.
Index differing_with(const std::string& name, const std::function<void(RecordedGemm&)>& change) {
  RecordedGemm recorded = read_recorded_gemm(path_of(name));
  change(recorded);
  return judge_declared(recorded).differing;
}

TEST(RecordedGemm, AnotherDeclarationDiffers) {
  EXPECT_GT(differing_with("fp8_slow", [](RecordedGemm& r) { r.fast_accumulate = true; }), 0);
  EXPECT_GT(differing_with("fp8_fast", [](RecordedGemm& r) { r.fast_accumulate = false; }), 0);
  EXPECT_GT(differing_with("bf16", [](RecordedGemm& r) { r.inputs.split_k = 2; }), 0);
  EXPECT_GT(differing_with("bf16_bias", [](RecordedGemm& r) { r.inputs.bias.reset(); }), 0);
  EXPECT_GT(differing_with("bf16_beta", [](RecordedGemm& r) { r.inputs.c.reset(); }), 0);
  EXPECT_GT(differing_with("fp8_f32", [](RecordedGemm& r) { r.inputs.input_scale.reset(); }), 0);
  EXPECT_GT(differing_with("fp8_fp8_bias", [](RecordedGemm& r) { r.inputs.output_scale *= 1.5f; }), 0);
}

TEST(RecordedGemm, AmaxIsJudgedToo) {
  RecordedGemm recorded = read_recorded_gemm(path_of("fp8_fp8_bias"));
  set_code(*recorded.output_amax, 0, 0, code_at(*recorded.output_amax, 0, 0) - 1);
  const RecordedVerdict verdict = judge_declared(recorded);
  EXPECT_EQ(verdict.differing, 1);
  EXPECT_EQ(verdict.first.at(0).tensor, "output_amax");
}

TEST(RecordedGemm, TwoNaNsAreAlikeAndNaNIsNoNumber) {
  RecordedGemm recorded = read_recorded_gemm(path_of("bf16_nobias"));
  set_code(recorded.output, 0, 0, 0x7FC1);
  EXPECT_EQ(judge_declared(recorded).differing, 1);
  set_code(recorded.inputs.input, 0, 0, 0xFFFF);
  for (Index j = 0; j < recorded.output.cols; ++j) set_code(recorded.output, 0, j, 0x7FC1);
  EXPECT_EQ(judge_declared(recorded).differing, 0);
}

TEST(RecordedGemm, DifferencesReadAsSentences) {
  EXPECT_EQ(describe(CodeDifference{"output", 3, 5, DType::bf16, 0x3FC0, 0x3FA0}),
            "output[3, 5] is 1.5 (0x3fc0), should be 1.25 (0x3fa0)");
}

// A small good file, to be spoiled.
struct File {
  Metadata metadata{{"op", "gemm"}, {"fast_accumulate", "0"}, {"source", "a test"}};
  std::map<std::string, NamedTensor> tensors;

  void put(const std::string& name, DType type, std::vector<Index> shape) {
    const Index rows = shape.size() == 2 ? shape[0] : 1, cols = shape.empty() ? 1 : shape.back();
    tensors[name] = {name, shape, encode(type, Matrix(rows, cols))};
  }
};

File good(DType operands) {
  File file;
  file.put("input", operands, {4, 200});
  file.put("weight", operands, {130, 200});
  file.put("output", DType::bf16, {4, 130});
  return file;
}

std::string refusal_of(const File& file) {
  const TemporaryFile at;
  std::vector<NamedTensor> tensors;
  for (const auto& [name, tensor] : file.tensors) tensors.push_back(tensor);
  write_safetensors(at.path, file.metadata, tensors);
  try {
    judge_declared(read_recorded_gemm(at.path));
  } catch (const Refusal& refusal) {
    const std::string text = refusal.what();
    EXPECT_TRUE(text.starts_with(at.path + ": ")) << text;
    return text.substr(at.path.size() + 2);
  }
  return "";
}

void expect_refused(File file, const std::function<void(File&)>& spoil, const std::string& because) {
  EXPECT_EQ(refusal_of(file), "");
  spoil(file);
  EXPECT_EQ(refusal_of(file), because);
}

TEST(RecordedGemm, TakesWhatIsOptional) {
  File file = good(DType::e4m3);
  file.put("output", DType::e4m3, {4, 130});
  file.put("bias", DType::f32, {130});
  file.put("c", DType::fp16, {4, 130});
  file.put("input_scale_inv", DType::f32, {});
  file.put("weight_scale_inv", DType::f32, {1});
  file.put("output_scale", DType::f32, {1, 1});
  file.put("output_amax", DType::f32, {1});
  file.metadata.insert({{"beta", "1"}, {"alpha", "1"}, {"split_k", "2"}, {"recipe", "tensor"}});
  EXPECT_EQ(refusal_of(file), "");
}

TEST(RecordedGemm, TakesBlockScales) {
  File file = good(DType::e4m3);
  file.metadata["recipe"] = "block128";
  file.put("input_scale_inv", DType::f32, {2, 4});
  file.put("weight_scale_inv", DType::f32, {2, 2});
  EXPECT_EQ(refusal_of(file), "");
  file.metadata["recipe"] = "block128_1d";
  EXPECT_EQ(refusal_of(file), "weight_scale_inv is 2 x 2; by the metadata and the other shapes it is 2 x 130");
  file.put("weight_scale_inv", DType::f32, {2, 130});
  EXPECT_EQ(refusal_of(file), "");
  file.metadata["split_k"] = "2";
  EXPECT_EQ(refusal_of(file),
            "says recipe=block128_1d with fast_accumulate=1 or split_k above 1: that order is not known");
  file.tensors.erase("input_scale_inv");
  EXPECT_EQ(refusal_of(file), "says recipe=block128_1d without both scales");
}

TEST(RecordedGemm, RefusesAnotherOperation) {
  expect_refused(
      good(DType::bf16), [](File& f) { f.metadata["op"] = "all_gather_gemm"; },
      R"(the metadata op="all_gather_gemm" is not among what can be judged: gemm)");
  expect_refused(
      good(DType::bf16), [](File& f) { f.metadata.erase("op"); },
      "its metadata has no op, so it is no recorded operation; check reads gemm");
}

TEST(RecordedGemm, RefusesUnknownValues) {
  const auto with = [](const std::string& key, const std::string& value) {
    return [=](File& f) { f.metadata[key] = value; };
  };
  const File file = good(DType::e4m3);
  expect_refused(file, with("alpha", "2"), R"(the metadata alpha="2" is not among what can be judged: 1)");
  expect_refused(file, with("beta", "0.5"), R"(the metadata beta="0.5" is not among what can be judged: 0, 1)");
  expect_refused(file, with("fast_accumulate", "yes"),
                 R"(the metadata fast_accumulate="yes" is not among what can be judged: 0, 1, unknown)");
  expect_refused(file, with("recipe", "mx"),
                 R"(the metadata recipe="mx" is not among what can be judged: tensor, block128, block128_1d)");
  for (const char* splits : {"0", "1025", "two", "2x", ""})
    expect_refused(file, with("split_k", splits),
                   fmt::format("the metadata split_k=\"{}\" is not a whole number from 1 to 1024", splits));
}

TEST(RecordedGemm, RefusesWhatIsMissingOrTooMuch) {
  for (const char* name : {"input", "weight", "output"})
    expect_refused(
        good(DType::bf16), [=](File& f) { f.tensors.erase(name); },
        fmt::format("has no tensor {}: a recorded operation has input, weight and output", name));
  expect_refused(
      good(DType::bf16), [](File& f) { f.put("out", DType::bf16, {1}); },
      R"(tensor "out" is none of this recorded operation: input, weight, output, bias, c, input_scale_inv, weight_scale_inv, output_scale, output_amax)");
  expect_refused(
      good(DType::bf16), [](File& f) { f.put("input, weight", DType::bf16, {1}); },
      R"(tensor "input, weight" is none of this recorded operation: input, weight, output, bias, c, input_scale_inv, weight_scale_inv, output_scale, output_amax)");
}

TEST(RecordedGemm, RefusesContradictions) {
  const File bf16 = good(DType::bf16), fp8 = good(DType::e5m2);
  expect_refused(
      bf16, [](File& f) { f.metadata["fast_accumulate"] = "1"; },
      "says fast_accumulate=1 of BF16 operands: only those of one byte have it");
  expect_refused(
      fp8, [](File& f) { f.metadata.erase("fast_accumulate"); },
      "does not say fast_accumulate: operands of one byte say 0 or 1, for it changes the sum");
  expect_refused(
      bf16, [](File& f) { f.metadata["beta"] = "1"; }, "says beta=1 and has no c: add c, or say beta=0");
  expect_refused(
      bf16,
      [](File& f) {
        f.put("c", DType::bf16, {4, 130});
      },
      "has a c that beta=0 leaves out: drop c, or say beta=1");
  expect_refused(
      bf16, [](File& f) { f.put("input_scale_inv", DType::f32, {1}); },
      "has scales of BF16 operands: only those of one byte have scales");
  expect_refused(
      fp8, [](File& f) { f.put("output_scale", DType::f32, {1}); },
      "has an output_scale and an output of BF16: only one of one byte is scaled");
  expect_refused(
      fp8, [](File& f) { f.metadata["recipe"] = "block128"; }, "says recipe=block128 without both scales");
}

TEST(RecordedGemm, RefusesShapesAndFormatsThatDoNotFit) {
  const File bf16 = good(DType::bf16), fp8 = good(DType::e4m3);
  const auto put = [](const char* name, DType type, std::vector<Index> shape) {
    return [=](File& f) { f.put(name, type, shape); };
  };
  expect_refused(bf16, put("weight", DType::fp16, {130, 200}),
                 "input is BF16 and weight F16: they are alike, or both of one byte");
  expect_refused(bf16, put("weight", DType::e4m3, {130, 200}),
                 "input is BF16 and weight F8_E4M3: they are alike, or both of one byte");
  expect_refused(bf16, put("input", DType::f32, {4, 200}), "input is F32; it may be BF16, F16, F8_E4M3, F8_E5M2");
  expect_refused(bf16, put("bias", DType::e4m3, {130}), "bias is F8_E4M3; it may be F32, BF16, F16");
  expect_refused(bf16, put("input", DType::bf16, {4, 199}),
                 "weight is 130 x 200; by the metadata and the other shapes it is 130 x 199");
  expect_refused(bf16, put("output", DType::bf16, {130, 4}),
                 "output is 130 x 4; by the metadata and the other shapes it is 4 x 130");
  expect_refused(bf16, put("bias", DType::bf16, {4}),
                 "bias is 1 x 4; by the metadata and the other shapes it is 1 x 130");
  expect_refused(bf16, put("output_amax", DType::f32, {2}),
                 "output_amax is 1 x 2; by the metadata and the other shapes it is 1 x 1");
  expect_refused(
      bf16,
      [](File& f) {
        f.put("c", DType::bf16, {130, 4});
        f.metadata["beta"] = "1";
      },
      "c is 130 x 4; by the metadata and the other shapes it is 4 x 130");
  expect_refused(fp8, put("input_scale_inv", DType::f32, {4}),
                 "input_scale_inv is 1 x 4; by the metadata and the other shapes it is 1 x 1");
  expect_refused(bf16, put("input", DType::bf16, {0, 200}),
                 "M = 0, N = 130, K = 200: there is nothing to judge; each is at least 1");
  expect_refused(bf16, put("input", DType::bf16, {1, 1}),
                 "weight is 130 x 200; by the metadata and the other shapes it is 130 x 1");
}

}  // namespace
}  // namespace lockstep
