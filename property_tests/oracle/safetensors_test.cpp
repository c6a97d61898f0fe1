// Broken and hostile safetensors files: each is refused, in a sentence that says why.
#include "oracle/inputs/safetensors.h"

#include "property_tests/oracle/safetensors_bytes.h"
#include "property_tests/oracle/temporary_file.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>

namespace lockstep {
namespace {

std::string file_of(const std::string& header, std::size_t data_bytes) {
  return safetensors_bytes(header, std::string(data_bytes, 'x'));
}

std::string refusal_of(const std::string& path) {
  try {
    read_safetensors(path);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

void expect_refused(const std::string& content, const std::string& because) {
  const TemporaryFile file(content);
  const std::string refusal = refusal_of(file.path);
  EXPECT_NE(refusal.find(because), std::string::npos) << "refusal: '" << refusal << "', not: '" << because << "'";
  EXPECT_EQ(refusal.find(file.path), 0u) << refusal;
}

void expect_header_refused(const std::string& header, const std::string& because) {
  expect_refused(file_of(header, 8), because);
}

// An entry of 8 bytes, but for one field.
std::string entry(const std::string& dtype = R"("BF16")", const std::string& shape = "[2, 2]",
                  const std::string& offsets = "[0, 8]") {
  return R"({"dtype": )" + dtype + R"(, "shape": )" + shape + R"(, "data_offsets": )" + offsets + "}";
}

std::string one(const std::string& the_entry) { return R"({"a": )" + the_entry + "}"; }

TEST(Safetensors, ReadsWhatItWrites) {
  const TemporaryFile file;
  Tensor a = poisoned(DType::bf16, 2, 3), b = poisoned(DType::e4m3, 1, 5), c = poisoned(DType::f32, 1, 1);
  set_code(a, 1, 2, 0x1234);
  set_code(b, 0, 4, 0x56);
  write_safetensors(file.path, {{"op", "gemm"}},
                    {{"a", {2, 3}, a}, {"b", {5}, b}, {"c", {}, c}, {"e", {0, 7}, poisoned(DType::e8m0, 0, 7)}});

  const Safetensors read = read_safetensors(file.path);
  EXPECT_EQ(read.metadata, (Metadata{{"op", "gemm"}}));
  ASSERT_EQ(read.tensors.size(), 4u);
  EXPECT_EQ(load(read, *read.find("a")), a);
  EXPECT_EQ(load(read, *read.find("b")), b);
  EXPECT_EQ(load(read, *read.find("c")), c);
  EXPECT_EQ(load(read, *read.find("e")).rows, 0);
  EXPECT_EQ(read.find("d"), nullptr);
}

TEST(Safetensors, TakesAGoodHeaderByHand) {
  const TemporaryFile file(file_of(one(entry()), 8));
  EXPECT_EQ(refusal_of(file.path), "");
  const TemporaryFile none(file_of("{}", 0));
  EXPECT_EQ(refusal_of(none.path), "");
}

// Found by lockstep_fuzz: the bytes of its row were counted, which are more than there are numbers.
TEST(Safetensors, TakesNoRowsOfAnyLength) {
  const TemporaryFile file(file_of(one(entry(R"("BF16")", "[0, 4611686018427387904]", "[0, 0]")), 0));
  const Safetensors read = read_safetensors(file.path);
  const Tensor tensor = load(read, *read.find("a"));
  EXPECT_EQ(tensor.rows, 0);
  EXPECT_EQ(tensor.cols, Index{1} << 62);
  EXPECT_TRUE(tensor.bytes.empty());
}

TEST(Safetensors, RefusesWhatIsNoFile) {
  EXPECT_EQ(refusal_of("/nowhere/x.safetensors"),
            "/nowhere/x.safetensors: cannot be opened: No such file or directory");
  EXPECT_EQ(refusal_of("/"), "/: is not a file: give a regular file, not a directory, pipe or device");
  EXPECT_EQ(refusal_of("/dev/zero"), "/dev/zero: is not a file: give a regular file, not a directory, pipe or device");
}

TEST(Safetensors, RefusesWhatIsNotOrNotAllOfOne) {
  expect_refused("", "has 0 bytes: a safetensors file begins with 8 bytes");
  expect_refused("1234567", "has 7 bytes");
  expect_refused("#!/usr/bin/env python3\nprint(1)\n", "is not safetensors");
  expect_refused(with_length(~std::uint64_t{0}, "{}"),
                 "is not safetensors: its first 8 bytes give a header of 18446744073709551615 bytes");
  expect_refused(with_length(std::uint64_t{1} << 25, "{}"), "the longest read is 16777216");
  expect_refused(with_length(3, "{}"), "is truncated: its header has 3 bytes, the file 10 in all");
  expect_refused(file_of(one(entry()), 7), R"(tensor "a": data_offsets end at 8, but the file has 7 bytes of data)");
}

TEST(Safetensors, RefusesAHeaderThatIsNoObject) {
  expect_header_refused("", "the header is not JSON");
  expect_header_refused("{", "the header is not JSON");
  expect_header_refused("[]", "the header is not a JSON object");
  expect_header_refused("7", "the header is not a JSON object");
  expect_header_refused("{\"\xFF\": 1}", "the header is not JSON");
  expect_header_refused(one(entry()) + "x", "the header is not JSON");
}

TEST(Safetensors, RefusesDeepNestingWithoutDiving) {
  for (const char* open : {"[", "{\"a\":"}) {
    std::string deep;
    while (deep.size() < 4'000'000) deep += open;
    expect_header_refused(deep, "the header nests deeper than a safetensors header does");
    expect_header_refused(R"({"__metadata__": )" + deep + "}", "the header nests deeper");
  }
}

TEST(Safetensors, RefusesNamesThatStandTwice) {
  expect_header_refused(R"({"a": )" + entry() + R"(, "a": )" + entry() + "}", R"(the name "a" twice)");
  expect_header_refused(one(R"({"dtype": "BF16", "dtype": "F16", "shape": [2, 2], "data_offsets": [0, 8]})"),
                        R"("dtype" twice)");
  expect_header_refused(R"({"__metadata__": {"op": "x", "op": "gemm"}})", R"("op" twice)");
}

TEST(Safetensors, RefusesBadEntries) {
  expect_header_refused(one("7"), R"(tensor "a": has no dtype)");
  expect_header_refused(one(R"({"dtype": "F32", "data_offsets": [0, 8]})"), R"(tensor "a": has no shape)");
  expect_header_refused(one(R"({"dtype": "F32", "shape": [2]})"), R"(tensor "a": has no data_offsets)");
  expect_header_refused(one(entry(R"("I64")", "[1]")),
                        R"(dtype "I64" is not among those read: F32, BF16, F16, F8_E4M3)");
  expect_header_refused(one(entry("3")), "dtype (not a string) is not among those read");
  for (const char* shape : {"[-2, 2]", "[2.0, 2]", "[\"2\"]", "[null]", "[18446744073709551615]", "[[2]]"})
    expect_header_refused(one(entry(R"("BF16")", shape)),
                          shape[1] == '[' ? "nests deeper" : "shape holds what is not a whole number");
  expect_header_refused(one(entry(R"("BF16")", "4")), "shape is not a list");
}

TEST(Safetensors, RefusesBadExtents) {
  expect_header_refused(one(entry(R"("BF16")", "[2, 2]", "[8, 0]")), "data_offsets [8, 0] are reversed");
  expect_header_refused(one(entry(R"("BF16")", "[2, 2]", "[0]")), "data_offsets has 1 numbers");
  expect_header_refused(one(entry(R"("BF16")", "[2, 2]", "[-8, 0]")), "data_offsets holds what is not a whole number");
  expect_header_refused(one(entry(R"("BF16")", "[2, 2]", "[0, 9223372036854775807]")),
                        "data_offsets end at 9223372036854775807");
  expect_header_refused(one(entry(R"("BF16")", "[2, 3]")), "data_offsets hold 8 bytes, its shape and dtype need 12");
  expect_header_refused(one(entry(R"("F32")")), "data_offsets hold 8 bytes, its shape and dtype need 16");
  expect_header_refused(one(entry(R"("BF16")", "[4294967296, 4294967296]")), "its shape has more than 2^63 - 1 bytes");
  expect_header_refused(one(entry(R"("BF16")", "[9223372036854775807]")), "its shape has more than 2^63 - 1 bytes");
}

TEST(Safetensors, RefusesHolesOverlapsAndLeftovers) {
  const auto two = [](const char* first, const char* second) {
    return R"({"a": )" + entry(R"("F8_E4M3")", "[4]", first) + R"(, "b": )" + entry(R"("F8_E4M3")", "[4]", second) +
           "}";
  };
  expect_header_refused(two("[0, 4]", "[0, 4]"),
                        R"(tensor "b" begins at byte 0 of the data, the one before ends at 4)");
  expect_header_refused(two("[4, 8]", "[2, 6]"), "may neither overlap nor leave a hole");
  expect_header_refused(one(entry(R"("F8_E4M3")", "[4]", "[4, 8]")), R"(tensor "a" begins at byte 4)");
  expect_header_refused(one(entry(R"("F8_E4M3")", "[4]", "[0, 4]")),
                        "the tensors end at byte 4 of the data, the file at 8");
  const TemporaryFile swapped(file_of(two("[4, 8]", "[0, 4]"), 8));
  EXPECT_EQ(refusal_of(swapped.path), "");
}

TEST(Safetensors, RefusesMetadataThatIsNoString) {
  expect_header_refused(R"({"__metadata__": "x"})", "__metadata__ is not an object of strings");
  expect_header_refused(R"({"__metadata__": {"op": 1}})", R"(the metadata "op" is not a string)");
  expect_header_refused(R"({"__metadata__": {"op": null}})", R"(the metadata "op" is not a string)");
}

TEST(Safetensors, EscapesAndCutsWhatItQuotes) {
  expect_header_refused(R"({"a\u001b[31m": 7})", R"(tensor "a\x1b[31m": has no dtype)");
  EXPECT_EQ(in_quotes(std::string(200, 'x')), '"' + std::string(80, 'x') + "\"...");
}

TEST(Safetensors, LoadRefusesMoreThanAMatrix) {
  const TemporaryFile file(file_of(one(entry(R"("BF16")", "[1, 2, 2]")), 8));
  const Safetensors read = read_safetensors(file.path);
  EXPECT_THROW(load(read, read.tensors[0]), Refusal);
}

TEST(Safetensors, RefusesANumberThatNoDoubleHolds) {
  expect_header_refused(R"({"a": 1e999})", "the header has a number too large to be read, at its byte 11");
  expect_header_refused(one(entry(R"("BF16")", "[-1e999]")), "the header has a number too large to be read");
}

// In time that grows with the header, not with its square: what took minutes takes a moment.
TEST(Safetensors, ManyNamesTakeAMoment) {
  const auto start = std::chrono::steady_clock::now();
  std::string tensors = "{", lists = R"({"a": [[])";
  for (int i = 0; i < 100'000; ++i)
    tensors += fmt::format(R"({}"t{}": {{"dtype": "F32", "shape": [0], "data_offsets": [0, 0]}})", i ? "," : "", i);
  while (lists.size() < 4'000'000) lists += ",[]";
  const TemporaryFile file(file_of(tensors + "}", 0));
  EXPECT_EQ(read_safetensors(file.path).tensors.size(), 100'000u);
  expect_header_refused(lists + "]}", R"(tensor "a": has no dtype)");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(Safetensors, AFileThatShrinksWhileItIsReadIsRefused) {
  const TemporaryFile file(file_of(one(entry()), 8));
  const Safetensors read = read_safetensors(file.path);
  std::filesystem::resize_file(file.path, 20);
  try {
    load(read, read.tensors[0]);
    ADD_FAILURE() << "read what is not there";
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), testing::StartsWith(file.path + ": became shorter while it was read: its byte "));
  }
}

TEST(Safetensors, QuotesAPathThatIsNotPlain) {
  EXPECT_EQ(refusal_of(""), R"("": cannot be opened: No such file or directory)");
  EXPECT_EQ(refusal_of("/nowhere/a b\n"), R"("/nowhere/a b\x0a": cannot be opened: No such file or directory)");
  const std::string longer = "/nowhere/" + std::string(100, 'x') + "\xFF";
  EXPECT_THAT(refusal_of(longer), testing::StartsWith("\"/nowhere/" + std::string(100, 'x') + R"(\xff")"));
}

TEST(Safetensors, RefusesToWriteNowhere) { EXPECT_THROW(write_safetensors("/nowhere/x", {}, {}), Refusal); }

// One byte changed, or the end cut off: read or refused, and nothing else.
RC_GTEST_PROP(Safetensors, DamageIsReadOrRefused, ()) {
  std::string content = file_of(R"({"__metadata__": {"op": "gemm"}, "a": )" + entry() + "}", 8);
  const auto at = *rc::gen::inRange<std::size_t>(0, content.size());
  if (*rc::gen::arbitrary<bool>())
    content.resize(at);
  else
    content[at] = *rc::gen::arbitrary<char>();
  const TemporaryFile file(content);
  try {
    const Safetensors read = read_safetensors(file.path);
    for (const StoredTensor& tensor : read.tensors)
      RC_ASSERT(std::ssize(load(read, tensor).bytes) == tensor.bytes.size());
  } catch (const Refusal& refusal) {
    RC_ASSERT(std::string(refusal.what()).starts_with(file.path));
  }
}

}  // namespace
}  // namespace lockstep
