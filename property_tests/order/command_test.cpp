// The verb order, as a user meets it.
#include "oracle/inputs/safetensors.h"
#include "oracle/order/probe.h"
#include "property_tests/oracle/shell.h"
#include "property_tests/oracle/temporary_file.h"
#include "reference/numerics/gemm.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Ended order(const std::string& arguments) { return shell("$L order " + arguments); }

// Somebody else's kernel: reads the probe, writes it again with what `sums` makes of it.
void run_kernel(const std::string& path, const Accumulator& accumulator, Index split_k, Metadata metadata,
                DType output = DType::f32) {
  const Safetensors file = read_safetensors(path);
  const Tensor input = load(file, *file.find("input")), weight = load(file, *file.find("weight"));
  const Matrix sums = gemm_sums({.input = input, .weight = weight, .split_k = split_k}, accumulator);
  write_safetensors(path, metadata,
                    {{"input", {input.rows, input.cols}, input},
                     {"weight", {weight.rows, weight.cols}, weight},
                     {"output", {sums.rows, sums.cols}, encode(output, sums)}});
}

struct Recorded {
  TemporaryFile file;
  Recorded(const char* type, int k, const Accumulator& accumulator, Index split_k, const Metadata& metadata,
           DType output = DType::f32) {
    const Ended made = order(fmt::format("--make {} --dtype {} --k {}", file.path, type, k));
    EXPECT_EQ(made.code, 0) << made.output;
    run_kernel(file.path, accumulator, split_k, metadata, output);
  }
};

TEST(OrderCommand, ProbesThePlanOfACase) {
  const Ended ended = order("--case 'op=gemm_rs tp=4 method=ring_exchange in=40'");
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("sum over K, every rank: 0..9: one at a time"),
                                  HasSubstr("rows of rank 2: 2..0, 3: one at a time"), HasSubstr("verdict: agree")));
}

TEST(OrderCommand, AWrongOrderIsADisagreement) {
  const Ended ended = order("--case 'tp=4 fault=reduction_reversed' --json -");
  EXPECT_EQ(ended.code, 1) << ended.output;
  const auto json = nlohmann::json::parse(ended.output);
  EXPECT_EQ(json["verdict"], "disagree");
  bool said = false;
  for (const auto& found : json["orders"])
    said |= found["found"] == "3..0: one at a time" && found["declared"] == "0..3: one at a time";
  EXPECT_TRUE(said) << ended.output;
}

TEST(OrderCommand, PrintsTheTreeOfAModel) {
  EXPECT_THAT(order("--model hopper_16bit --k 96").output,
              AllOf(HasSubstr("0..95: 16 at a time"), HasSubstr("row 0: 80 64 48 32 16 0\n")));
  EXPECT_THAT(order("--model hopper_16bit --k 4096 --split-k 3").output, HasSubstr("3 parts of 1408 (the last 1280)"));
  EXPECT_THAT(order("--model f32_in_order --k 40 --dtype fp16").output, HasSubstr("0..39: one at a time"));
  EXPECT_THAT(order("--model hopper_fp8_promoted --k 4096").output,
              AllOf(HasSubstr("32 parts of 128"), HasSubstr("every 32 of K")));
}

TEST(OrderCommand, ReadsWhatAKernelMadeOfTheProbe) {
  const Recorded bf16("bf16", 96, hopper_16bit, 1, {{"split_k", "1"}});
  const Ended ended = order(bf16.file.path);
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("0..95: 16 at a time"), HasSubstr("row 0: 80 64 48 32 16 0"),
                                  HasSubstr("hopper_16bit with split-K 1"), HasSubstr("verdict: agree")));
  const Recorded fp8("e4m3", 256, hopper_fp8_promoted, 1, {{"op", "gemm"}, {"fast_accumulate", "0"}});
  EXPECT_THAT(order(fp8.file.path).output,
              AllOf(HasSubstr("2 parts of 128"), HasSubstr("hopper_fp8_promoted with split-K 1 to 12")));
  const Recorded split("fp16", 512, ampere_16bit, 20, {{"split_k", "20"}});
  EXPECT_EQ(order(split.file.path).code, 0) << order(split.file.path).output;
}

TEST(OrderCommand, ADeclarationThatDoesNotFitIsADisagreement) {
  const Recorded split("bf16", 256, hopper_16bit, 2, {{"split_k", "1"}});
  const Ended ended = order(split.file.path);
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("2 parts of 128"), HasSubstr("not what the file declares")));
  const Recorded fast("e4m3", 512, hopper_fp8, 1, {{"op", "gemm"}, {"fast_accumulate", "0"}});
  EXPECT_EQ(order(fast.file.path).code, 1);
  const Recorded undeclared("e4m3", 512, hopper_fp8, 1, {});
  EXPECT_EQ(order(undeclared.file.path).code, 0) << order(undeclared.file.path).output;
}

TEST(OrderCommand, AnOrderOfNoKnownModelIsPrinted) {
  Accumulator twelve = hopper_16bit;
  twelve.products = 12;
  const Recorded file("bf16", 96, twelve, 1, {});
  const Ended ended = order(file.file.path);
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("0..95: 12 at a time"), HasSubstr("none of the models known")));
}

// Adds a tensor to a file, in place of the one that has its name.
void replace(const std::string& path, const std::string& name, const Tensor& tensor) {
  const Safetensors file = read_safetensors(path);
  std::vector<NamedTensor> tensors;
  for (const StoredTensor& stored : file.tensors)
    if (stored.name != name) tensors.push_back({stored.name, stored.shape, load(file, stored)});
  tensors.push_back({name, {tensor.rows, tensor.cols}, tensor});
  write_safetensors(path, file.metadata, tensors);
}

TEST(OrderCommand, OutputsThatAreNoCountsAreADisagreement) {
  const Recorded file("bf16", 32, hopper_16bit, 1, {});
  replace(file.file.path, "output", poisoned(DType::f32, 32, 32));
  const Ended ended = order(file.file.path + " --json -");
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("no whole number of terms"), HasSubstr("\"fits\": []")));
}

TEST(OrderCommand, OperandsThatAreNoProbeAreBlind) {
  const std::string recorded = LOCKSTEP_TEST_DATA "/h200_gemm/bf16.safetensors";
  const Ended ended = order(recorded);
  EXPECT_EQ(ended.code, 3) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("no probe's"));
  const Recorded good("bf16", 32, hopper_16bit, 1, {});
  EXPECT_EQ(order(good.file.path + " " + recorded).code, 3);
  EXPECT_EQ(order(good.file.path + " " + recorded + " /nonexistent").code, 2);
}

TEST(OrderCommand, NothingToAddIsBlind) { EXPECT_EQ(order("--case 'tp=1 in=1'").code, 3); }

TEST(OrderCommand, BadInputIsASentenceAndExitCode2) {
  const Recorded coarse("bf16", 512, hopper_16bit, 1, {}, DType::bf16), scaled("e4m3", 64, hopper_fp8, 1, {});
  const Recorded biased("bf16", 32, hopper_16bit, 1, {}), odd("bf16", 32, hopper_16bit, 1, {{"split_k", "two"}});
  const Recorded other("bf16", 32, hopper_16bit, 1, {{"op", "conv"}}), narrow("bf16", 32, hopper_16bit, 1, {});
  Matrix two(1, 1);
  two(0, 0) = 2;
  replace(scaled.file.path, "input_scale_inv", encode(DType::f32, two));
  replace(biased.file.path, "bias", encode(DType::f32, Matrix(1, 32)));
  replace(narrow.file.path, "output", encode(DType::f32, Matrix(32, 31)));
  const TemporaryFile unrun, json;
  ASSERT_EQ(order("--make " + unrun.path + " --dtype bf16 --k 32").code, 0);
  const std::pair<std::string, const char*> bad[] = {
      {"", "order takes one of"},
      {"--case tp=2 --model hopper_16bit --k 3", "order takes one of"},
      {"--case 'tp=0'", "from 1 to 72"},
      {"--case 'recipe=mxfp8'", "recipe=mxfp8"},
      {"--case 'tp=72 splits=1024'", "operations"},
      {"--case 'tp=2 in=100000000000'", "GiB"},
      {"--case 'tp=2' --k 3", "--k goes with"},
      {"--case 'tp=2' --split-k 3", "--split-k goes with"},
      {"--case 'tp=2' --dtype bf16", "--dtype goes with"},
      {"--model hopper --k 96", "known are hopper_16bit"},
      {"--model hopper_16bit", "--k"},
      {"--model hopper_16bit --k 1", "2 to"},
      {"--model hopper_16bit --k 99999999999", "2 to"},
      {"--model hopper_16bit --k many", "--k"},
      {"--model hopper_16bit --k 96 --dtype e4m3", "16 bits"},
      {"--model hopper_16bit --k 96 --dtype red", "red"},
      {"--model hopper_16bit --k 96 --split-k 0", "1 to 1024"},
      {"--make x --k 96", "--dtype"},
      {"--make x --dtype bf16", "--k"},
      {"--make x --dtype e8m0 --k 96", "e8m0"},
      {"--make x --dtype bf16 --k 0", "2 to"},
      {"--make /nonexistent/x --dtype bf16 --k 8", "/nonexistent/x"},
      {"/nonexistent.safetensors", "/nonexistent.safetensors"},
      {"/etc/passwd", "/etc/passwd"},
      {coarse.file.path, "cannot hold the count"},
      {scaled.file.path, "scales of 1"},
      {biased.file.path, "bias"},
      {odd.file.path, "split_k"},
      {other.file.path, "conv"},
      {narrow.file.path, "32 x 31"},
      {unrun.path, "no tensor output"},
      {"--case tp=2 --json /nonexistent/file", "cannot be written"},
      {biased.file.path + " --json " + biased.file.path, "would be lost"}};
  for (const auto& [arguments, words] : bad) {
    const Ended ended = order(arguments);
    EXPECT_EQ(ended.code, 2) << arguments << "\n" << ended.output;
    EXPECT_THAT(ended.output, AllOf(HasSubstr(words), Not(HasSubstr("mistake")))) << arguments;
  }
}

TEST(OrderCommand, JsonGoesToAFileBesideTheText) {
  const TemporaryFile json;
  const Ended ended = order("--model hopper_16bit --k 96 --json " + json.path);
  EXPECT_THAT(ended.output, HasSubstr("16 at a time"));
  const auto content = nlohmann::json::parse(std::ifstream(json.path));
  EXPECT_EQ(content["tree"], "0..95: 16 at a time");
  EXPECT_EQ(content["signature"], "80 64 48 32 16 0");
}

}  // namespace
}  // namespace lockstep
