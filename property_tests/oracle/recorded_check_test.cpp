// The verb check: every file is judged on its own, whatever the others are, and the JSON file is whole or as it was.
#include "oracle/inputs/safetensors.h"
#include "property_tests/oracle/shell.h"
#include "property_tests/oracle/temporary_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string good = LOCKSTEP_TEST_DATA "/h200_gemm/bf16.safetensors";
const std::string good_is_judged = "0 of 4096 elements differ";

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string with_header(const std::string& header) {
  const std::uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header;
}

// Data of `bytes` in one tensor; nothing of it lies on the disk.
void make_large(const std::string& path, std::uint64_t bytes) {
  const std::string content = with_header(fmt::format(
      R"({{"__metadata__": {{"op": "gemm"}}, "output": {{"dtype": "BF16", "shape": [{}], "data_offsets": [0, {}]}}}})",
      bytes / 2, bytes));
  std::ofstream(path, std::ios::binary) << content;
  std::filesystem::resize_file(path, content.size() + bytes);
}

TEST(RecordedCheck, AFileThatIsRefusedLeavesTheOthersTheirVerdicts) {
  const TemporaryFile number(with_header(R"({"a": 1e999})")), other(content_of(good)), spoiled;
  std::string one_bit = content_of(good);
  one_bit.back() = static_cast<char>(one_bit.back() ^ 1);
  std::ofstream(spoiled.path, std::ios::binary) << one_bit;
  EXPECT_EQ(shell("$L check " + number.path).code, 2);
  const Ended ended = shell(fmt::format("$L check {} {} {}", spoiled.path, number.path, good));
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr(number.path + ": the header has a number"), HasSubstr(good_is_judged),
                                  HasSubstr("3 files, 1 disagree")));
}

TEST(RecordedCheck, AFileThatDoesNotFitMemoryIsRefusedByName) {
  const TemporaryFile large;
  make_large(large.path, std::uint64_t{1} << 40);
  const Ended ended = shell(fmt::format("$L check {} {}", large.path, good));
  EXPECT_EQ(ended.code, 2) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr(large.path + ": judging it needs about "), HasSubstr("GiB are available"),
                                  HasSubstr(good_is_judged)));
}

TEST(RecordedCheck, MemoryThatRunsOutIsTheFilesOwnAffair) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer takes more address space than this test leaves";
#endif
  const TemporaryFile large;
  make_large(large.path, std::uint64_t{1} << 30);
  const Ended ended = shell(fmt::format("ulimit -v 400000; $L check {} {}", large.path, good));
  EXPECT_EQ(ended.code, 2) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr(large.path + ": "), HasSubstr("memory"), HasSubstr(good_is_judged)));
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
  EXPECT_EQ(content_of(json.path), "the old one");
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(json.path).parent_path()))
    EXPECT_FALSE(entry.path().string().starts_with(json.path + ".")) << entry.path();
}

TEST(RecordedCheck, TheJsonReplacesTheOldOneAndNeverADevice) {
  const TemporaryFile json("the old one");
  EXPECT_EQ(shell(fmt::format("$L check {} --json {}", good, json.path)).code, 0);
  EXPECT_EQ(nlohmann::json::parse(content_of(json.path))["verdict"], "agree");
  EXPECT_EQ(shell(fmt::format("$L check {} --json /dev/null", good)).code, 0);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(RecordedCheck, TheJsonMayNotOverwriteWhatIsChecked) {
  const TemporaryFile recording(content_of(good));
  const std::string link = recording.path + ".link";
  std::filesystem::create_symlink(recording.path, link);
  for (const std::string& json : {recording.path, link}) {
    const Ended ended = shell(fmt::format("$L check {} {} --json {}", good, recording.path, json));
    EXPECT_EQ(ended.code, 2);
    EXPECT_THAT(ended.output, AllOf(HasSubstr(json + ": is one of the files"), Not(HasSubstr("judge"))));
  }
  std::filesystem::remove(link);
  EXPECT_TRUE(content_of(recording.path) == content_of(good));
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
