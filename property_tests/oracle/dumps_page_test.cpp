// docs/dumps.md: its example is checked as it stands there, and its tables name what the reader knows; the scripts
// beside it, where Python has what they need.
#include "oracle/inputs/recorded_reduction.h"
#include "property_tests/file_text.h"
#include "property_tests/oracle/safetensors_bytes.h"
#include "property_tests/oracle/shell.h"
#include "property_tests/oracle/temporary_file.h"
#include "property_tests/oracle/temporary_folder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string docs = LOCKSTEP_TEST_DATA "/../../docs/";

// The text between fences, block by block.
std::vector<std::string> blocks_of(const std::string& page) {
  std::vector<std::string> blocks;
  for (std::size_t at = page.find("```"); at != page.npos; at = page.find("```", at)) {
    const std::size_t begin = page.find('\n', at) + 1, end = page.find("```", begin);
    blocks.push_back(page.substr(begin, end - begin));
    at = end + 3;
  }
  return blocks;
}

std::string floats(const std::string& numbers) {
  std::string bytes;
  std::istringstream in(numbers);
  for (float value = 0; in >> value;) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  return bytes;
}

TEST(DumpsPage, TheExampleIsTrue) {
  const auto blocks = blocks_of(file_text(docs + "dumps.md"));
  ASSERT_EQ(blocks.size(), 4u);
  const TemporaryFolder folder;
  const auto check = [&](const std::string& numbers) {
    put_file_text(folder.path + "/example.safetensors", safetensors_bytes(blocks[0], floats(numbers)));
    return shell("cd " + folder.path + "; $L check example.safetensors");
  };
  const Ended right = check(blocks[1]);
  EXPECT_EQ(right.code, 0) << right.output;
  EXPECT_THAT(right.output, testing::StartsWith(blocks[2]));
  std::string wrong = blocks[1];
  wrong.replace(wrong.find("23"), 2, "10");
  EXPECT_THAT(check(wrong).output, testing::StartsWith(blocks[3]));
}

TEST(DumpsPage, NamesWhatTheReaderKnows) {
  const std::string page = file_text(docs + "dumps.md");
  for (const char* known : {"row_linear", "column_linear", "all_gather_gemm", "gemm_reduce_scatter", "arithmetic",
                            "db_sum", "fast_accumulate", "per_rank", "x_scale_inv", "dw", "db", "--memory"})
    EXPECT_THAT(page, HasSubstr(known));
  std::istringstream names(reduction_names());
  for (std::string name; std::getline(names >> std::ws, name, ',');)
    EXPECT_TRUE(name.starts_with("running_") || page.find('`' + name + '`') != page.npos) << name;
}

// `needed` is what Python has to find.
void expect_agrees(const std::string& needed, const std::string& script, const std::string& files) {
  if (shell("python3 -c 'import " + needed + "'").code != 0) GTEST_SKIP() << "python3 has no " << needed;
  const TemporaryFolder folder;
  for (const char* type : {"bfloat16", "float32"}) {
    const Ended saved = shell(fmt::format("cd {} && {} layer.safetensors --dtype {}", folder.path, script, type));
    ASSERT_EQ(saved.code, 0) << saved.output;
    const Ended checked = shell(fmt::format("cd {} && $L check {}", folder.path, files));
    EXPECT_EQ(checked.code, 0) << checked.output;
    EXPECT_THAT(checked.output, AllOf(HasSubstr("1 dump, 0 disagree"), HasSubstr("y: "), HasSubstr("db: ")));
  }
}

TEST(NightlyDumpScripts, OfPyTorchAgree) {
  expect_agrees("torch, safetensors", "python3 " + docs + "dump_torch.py", "layer.safetensors");
}

TEST(NightlyDumpScripts, OfPyTorchInAProcessARankAgree) {
  expect_agrees("torch, safetensors", "python3 -m torch.distributed.run --nproc-per-node 4 " + docs + "dump_torch.py",
                "layer.rank*.safetensors");
}

TEST(NightlyDumpScripts, OfJaxAgree) {
  expect_agrees("jax, safetensors",
                "XLA_FLAGS=--xla_force_host_platform_device_count=4 python3 " + docs + "dump_jax.py",
                "layer.safetensors");
}

}  // namespace
}  // namespace lockstep
