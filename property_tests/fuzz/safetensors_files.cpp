#include "oracle/inputs/safetensors.h"
#include "property_tests/file_text.h"
#include "property_tests/fuzz/mutate_json.h"
#include "property_tests/fuzz/readers.h"
#include "property_tests/fuzz/valid_files.h"
#include "property_tests/oracle/safetensors_bytes.h"

#include <cstring>

namespace lockstep {
namespace {

constexpr std::size_t length_bytes = 8;

std::uint64_t length_of(const std::string& file) {
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), length_bytes);
  return length;
}

// Matrices are read whole and written again, and are then the same.
std::vector<NamedTensor> loaded(const std::string& path, Metadata& metadata) {
  const Safetensors file = read_safetensors(path);
  metadata = file.metadata;
  std::vector<NamedTensor> all;
  for (const StoredTensor& stored : file.tensors) {
    all.push_back({stored.name, stored.shape, load(file, stored)});
    const Tensor& tensor = all.back().tensor;
    if (std::ssize(tensor.bytes) != tensor.rows * tensor.cols * bytes_of(tensor.dtype))
      throw Wrong("a tensor has not as many bytes as its shape");
  }
  return all;
}

bool is_same(const NamedTensor& a, const NamedTensor& b) {
  return a.name == b.name && a.shape == b.shape && a.tensor == b.tensor;
}

void read(const std::string& text) {
  static const TemporaryFile file, again;
  put_file_text(file.path, text);
  Metadata metadata, metadata_again;
  const auto all = loaded(file.path, metadata);
  write_safetensors(again.path, metadata, all);
  const auto back = loaded(again.path, metadata_again);
  if (metadata != metadata_again || !std::ranges::equal(all, back, is_same))
    throw Wrong("what is written is read otherwise");
}

// The header for the most part, with its length as it is then, or any bytes.
std::string spoilt(const std::string& text, const std::string& other, Random& random) {
  if (random.between(0, 3) == 0) return mutated(text, other, random);
  const auto header_of = [](const std::string& file) { return file.substr(length_bytes, length_of(file)); };
  const std::string header =
      random.coin() ? mutated_json(header_of(text), random) : mutated(header_of(text), header_of(other), random);
  std::string data = text.substr(length_bytes + length_of(text));
  if (random.between(0, 7) == 0) data.resize(static_cast<std::size_t>(random.between(0, 100)));
  const std::uint64_t length = random.between(0, 15) == 0 ? random.word() >> random.between(0, 63) : header.size();
  return with_length(length, header + data);
}

void write_file(const std::string& path, Random& random) {
  Metadata metadata;
  for (Index i = random.between(0, 3); i > 0; --i) metadata["key " + std::to_string(i)] = odd_number(random);
  std::vector<NamedTensor> tensors;
  for (Index i = random.between(0, 5); i > 0; --i) {
    const auto dtype = random.one_of(all_dtypes);
    const Index rows = random.between(0, 3), cols = random.between(0, 4);
    const bool is_row = rows == 1 && random.coin();
    tensors.push_back({"tensor." + std::to_string(i), is_row ? std::vector{cols} : std::vector{rows, cols},
                       poisoned(dtype, rows, cols)});
  }
  write_safetensors(path, metadata, tensors);
}

}  // namespace

Reader safetensors() {
  return {.name = "safetensors", .valid = valid_files(write_file, 100, 3), .read = read, .spoil = spoilt};
}

}  // namespace lockstep
