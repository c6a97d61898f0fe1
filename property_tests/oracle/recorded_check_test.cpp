// The verb check: every file is judged on its own, whatever the others are, and the JSON file is whole or as it was.
#include "oracle/inputs/safetensors.h"
#include "property_tests/file_text.h"
#include "property_tests/oracle/safetensors_bytes.h"
#include "property_tests/oracle/shell.h"
#include "property_tests/oracle/temporary_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <utility>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string good = LOCKSTEP_TEST_DATA "/h200_gemm/bf16.safetensors";
const std::string good_is_judged = "0 of 4096 elements differ";

// input [m, k] weight[n, k]^T = output [m, n], all BF16 and zero; nothing of it lies on the disk.
void make_sparse(const std::string& path, Index m, Index n, Index k) {
  std::string tensors;
  Index end = 0;
  const auto add = [&](const char* name, Index rows, Index cols) {
    const Index begin = std::exchange(end, end + 2 * rows * cols);
    tensors += fmt::format(R"(, "{}": {{"dtype": "BF16", "shape": [{}, {}], "data_offsets": [{}, {}]}})", name, rows,
                           cols, begin, end);
  };
  add("input", m, k), add("weight", n, k), add("output", m, n);
  const std::string content = safetensors_bytes(fmt::format(R"({{"__metadata__": {{"op": "gemm"}}{}}})", tensors));
  put_file_text(path, content);
  std::filesystem::resize_file(path, content.size() + static_cast<std::size_t>(end));
}

TEST(RecordedCheck, AFileThatIsRefusedLeavesTheOthersTheirVerdicts) {
  const TemporaryFile number(safetensors_bytes(R"({"a": 1e999})")), other(file_text(good)), spoiled;
  std::string one_bit = file_text(good);
  one_bit.back() = static_cast<char>(one_bit.back() ^ 1);
  put_file_text(spoiled.path, one_bit);
  EXPECT_EQ(shell("$L check " + number.path).code, 2);
  const Ended ended = shell(fmt::format("$L check {} {} {}", spoiled.path, number.path, good));
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr(number.path + ": the header has a number"), HasSubstr(good_is_judged),
                                  HasSubstr("3 dumps, 1 disagree, 1 not judged")));
}

// 72 MiB of codes, of which less than half may be in memory, with all that the judge makes of them.
TEST(RecordedCheck, AFileThatDoesNotFitMemoryIsJudgedInPieces) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer takes more address space than this test leaves";
#endif
  const TemporaryFile large;
  make_sparse(large.path, 1 << 19, 64, 8);
  const std::string in_little = "ulimit -v 300000; $L check --memory 32 " + large.path;
  const Ended right = shell(in_little);
  EXPECT_EQ(right.code, 0) << right.output;
  EXPECT_THAT(right.output, HasSubstr("0 of 33554432 elements differ"));
  std::fstream file(large.path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(-1, std::ios::end) << '\x3F';
  file.close();
  const Ended wrong = shell(in_little);
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.output, AllOf(HasSubstr("1 of 33554432 elements differ"),
                                  HasSubstr("output[524287, 63] is 0.5 (0x3f00), should be 0 (0x0000)"),
                                  HasSubstr("pattern  output: the element of row 524287, column 63; rank 0 of 1")));
  EXPECT_EQ(shell("ulimit -v 300000; $L check --memory 1000000 " + large.path).code, 2)
      << "read whole, it does not fit";
}

TEST(RecordedCheck, ASumThatDoesNotFitMemoryIsRefusedByName) {
  const TemporaryFile large;
  make_sparse(large.path, 1, 1, Index{1} << 36);
  const Ended ended = shell(fmt::format("$L check {} {}", large.path, good));
  EXPECT_EQ(ended.code, 2) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr(large.path + ": sums over 68719476736 products need "),
                                  HasSubstr("give more (--memory)"), HasSubstr(good_is_judged)));
}

TEST(RecordedCheck, NamesAreShownWithoutTheirControlCharacters) {
  EXPECT_THAT(shell("$L check ''").output, HasSubstr(R"(lockstep: "": cannot be opened)"));
  const TemporaryFile file;
  const std::string odd = file.path + "\x1b[31m\nx";
  std::filesystem::copy(good, odd);
  const Ended ended = shell(fmt::format("$L check '{}'", odd));
  std::filesystem::remove(odd);
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.output, AllOf(HasSubstr(file.path + R"(\x1b[31m\x0ax": 0 of)"), Not(HasSubstr("\x1b"))));
}

TEST(RecordedCheck, ANameThatIsNotUtf8GoesIntoTheJson) {
  const Ended ended = shell("$L check '/nowhere/\xFF' --json - 2>/dev/null");
  EXPECT_EQ(ended.code, 2) << ended.output;
  EXPECT_EQ(nlohmann::json::parse(ended.output)["files"][0]["file"], "/nowhere/\xEF\xBF\xBD");
}

TEST(RecordedCheck, AFullDiskLeavesTheOldJson) {
  const TemporaryFile json("the old one");
  const Ended ended = shell(fmt::format("trap '' XFSZ; ulimit -f 0; $L check {} --json {}", good, json.path));
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.output, HasSubstr(json.path + ": the file cannot be written"));
  EXPECT_EQ(file_text(json.path), "the old one");
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(json.path).parent_path()))
    EXPECT_FALSE(entry.path().string().starts_with(json.path + ".")) << entry.path();
}

TEST(RecordedCheck, TheJsonReplacesTheOldOneAndNeverADevice) {
  const TemporaryFile json("the old one");
  EXPECT_EQ(shell(fmt::format("$L check {} --json {}", good, json.path)).code, 0);
  EXPECT_EQ(nlohmann::json::parse(file_text(json.path))["verdict"], "agree");
  EXPECT_EQ(shell(fmt::format("$L check {} --json /dev/null", good)).code, 0);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(RecordedCheck, TheJsonMayNotOverwriteWhatIsChecked) {
  const TemporaryFile recording(file_text(good));
  const std::string link = recording.path + ".link";
  std::filesystem::create_symlink(recording.path, link);
  for (const std::string& json : {recording.path, link}) {
    const Ended ended = shell(fmt::format("$L check {} {} --json {}", good, recording.path, json));
    EXPECT_EQ(ended.code, 2);
    EXPECT_THAT(ended.output, AllOf(HasSubstr(json + ": is one of the files"), Not(HasSubstr("judge"))));
  }
  std::filesystem::remove(link);
  EXPECT_TRUE(file_text(recording.path) == file_text(good));
}

TEST(RecordedCheck, JsonThatCannotBeWrittenIsRefusedBeforeTheRun) {
  for (const char* json : {"/nowhere/x.json", "/", "/proc/x.json", "/dev/null/x"}) {
    const Ended ended = shell(fmt::format("$L check {} --json {}", good, json));
    EXPECT_EQ(ended.code, 2);
    EXPECT_THAT(ended.output,
                AllOf(HasSubstr(fmt::format("{}: the file cannot be written", json)), Not(HasSubstr("judge"))));
  }
}

}  // namespace
}  // namespace lockstep
