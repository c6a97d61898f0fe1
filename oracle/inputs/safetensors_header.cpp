#include "oracle/inputs/safetensors_header.h"

#include "oracle/inputs/safetensors_json.h"
#include "reference/contract/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace lockstep {
namespace {

using nlohmann::json;

// Reads one entry of the header; every refusal names it.
struct Entry {
  const std::string& path;
  const std::string& name;
  const json& value;

  template <typename... Args>
  [[noreturn]] void refuse_entry(fmt::format_string<Args...> sentence, Args&&... args) const {
    refuse("{}: tensor {}: {}", path, in_quotes(name), fmt::format(sentence, std::forward<Args>(args)...));
  }

  const json& field(const char* key) const {
    if (!value.is_object() || !value.contains(key))
      refuse_entry("has no {}: every tensor has dtype, shape and data_offsets", key);
    return value[key];
  }

  Index number(const json& n, const char* key) const {
    if (!n.is_number_unsigned() || n.get<std::uint64_t>() > std::numeric_limits<Index>::max())
      refuse_entry("{} holds what is not a whole number from 0 to 2^63 - 1", key);
    return n.get<Index>();
  }

  std::vector<Index> numbers(const char* key) const {
    const json& list = field(key);
    if (!list.is_array()) refuse_entry("{} is not a list of whole numbers", key);
    std::vector<Index> all;
    for (const json& n : list) all.push_back(number(n, key));
    return all;
  }

  DType dtype() const {
    const json& stored = field("dtype");
    for (DType type : all_dtypes)
      if (stored == safetensors_name(type)) return type;
    refuse_entry("dtype {} is not among those read: F32, BF16, F16, F8_E4M3, F8_E5M2, F8_E8M0",
                 stored.is_string() ? in_quotes(stored.get<std::string>()) : std::string("(not a string)"));
  }

  Index byte_count(const StoredTensor& tensor) const {
    Index bytes = bytes_of(tensor.dtype);
    for (Index extent : tensor.shape)
      if (__builtin_mul_overflow(bytes, extent, &bytes)) refuse_entry("its shape has more than 2^63 - 1 bytes");
    return bytes;
  }

  Range extent(const StoredTensor& tensor, Index data_bytes) const {
    const std::vector<Index> offsets = numbers("data_offsets");
    if (offsets.size() != 2) refuse_entry("data_offsets has {} numbers; it is [begin, end]", offsets.size());
    const Range bytes{offsets[0], offsets[1]};
    if (bytes.end < bytes.begin) refuse_entry("data_offsets [{}, {}] are reversed", bytes.begin, bytes.end);
    if (bytes.end > data_bytes)
      refuse_entry("data_offsets end at {}, but the file has {} bytes of data", bytes.end, data_bytes);
    if (const Index needed = byte_count(tensor); bytes.size() != needed)
      refuse_entry("data_offsets hold {} bytes, its shape and dtype need {}", bytes.size(), needed);
    return bytes;
  }

  StoredTensor read(Index data_bytes) const {
    StoredTensor tensor{name, dtype(), numbers("shape"), {}, 0};
    tensor.bytes = extent(tensor, data_bytes);
    return tensor;
  }
};

Metadata read_metadata(const std::string& path, const json& value) {
  if (!value.is_object()) refuse("{}: __metadata__ is not an object of strings", path);
  Metadata metadata;
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string()) refuse("{}: the metadata {} is not a string, as all metadata is", path, in_quotes(key));
    metadata[key] = text.get<std::string>();
  }
  return metadata;
}

void check_cover(const std::string& path, const std::vector<StoredTensor>& tensors, Index data_bytes) {
  Index covered = 0;
  for (const StoredTensor& tensor : tensors) {
    if (tensor.bytes.begin != covered)
      refuse(
          "{}: tensor {} begins at byte {} of the data, the one before ends at {}: tensors may neither overlap nor "
          "leave a hole",
          path, in_quotes(tensor.name), tensor.bytes.begin, covered);
    covered = tensor.bytes.end;
  }
  if (covered != data_bytes)
    refuse("{}: the tensors end at byte {} of the data, the file at {}: no byte may be left over", path, covered,
           data_bytes);
}

}  // namespace

SafetensorsHeader parse_safetensors_header(const std::string& path, std::string_view text, Index data_bytes) {
  const json root = parse_header_json(path, text);
  if (!root.is_object()) refuse("{}: the header is not a JSON object, as a safetensors header is", path);
  SafetensorsHeader header;
  for (const auto& [name, value] : root.items()) {
    if (name == "__metadata__")
      header.metadata = read_metadata(path, value);
    else
      header.tensors.push_back(Entry{path, name, value}.read(data_bytes));
  }
  std::ranges::sort(header.tensors, {}, [](const StoredTensor& t) { return std::pair(t.bytes.begin, t.bytes.end); });
  check_cover(path, header.tensors, data_bytes);
  return header;
}

}  // namespace lockstep
