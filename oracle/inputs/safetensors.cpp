#include "oracle/inputs/safetensors.h"

#include "oracle/inputs/safetensors_header.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <cstring>

#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

constexpr Index length_bytes = 8;

// The length of the header, within the file and within reason.
Index header_length(const OpenFile& file) {
  if (file.size() < length_bytes)
    refuse("{}: has {} bytes: a safetensors file begins with 8 bytes that give the length of its header", file.name(),
           file.size());
  std::uint64_t length = 0;
  std::memcpy(&length, file.read({0, length_bytes}).data(), sizeof length);
  if (length > max_safetensors_header)
    refuse("{}: is not safetensors: its first 8 bytes give a header of {} bytes, and the longest read is {}",
           file.name(), length, max_safetensors_header);
  const auto within = static_cast<Index>(length);
  if (within > file.size() - length_bytes)
    refuse("{}: is truncated: its header has {} bytes, the file {} in all", file.name(), within, file.size());
  return within;
}

}  // namespace

const StoredTensor* Safetensors::find(std::string_view tensor) const {
  const auto found = std::ranges::find(tensors, tensor, &StoredTensor::name);
  return found == tensors.end() ? nullptr : &*found;
}

Safetensors read_safetensors(const std::string& path) {
  OpenFile file(path);
  const Index data = length_bytes + header_length(file);
  const auto header = file.read({length_bytes, data});
  const std::string_view text(reinterpret_cast<const char*>(header.data()), header.size());
  auto [metadata, tensors] = parse_safetensors_header(file.name(), text, file.size() - data);
  Safetensors all{file.name(), {}, std::move(metadata), std::move(tensors)};
  all.files.push_back({std::move(file), data});
  return all;
}

Tensor load(const Safetensors& file, const StoredTensor& stored) {
  if (stored.shape.size() > 2)
    refuse("{}: tensor {} has {} dimensions; at most 2 are read", file.name, in_quotes(stored.name),
           stored.shape.size());
  return load(file, stored, {0, stored.rows()}, {0, stored.cols()});
}

Tensor load(const Safetensors& file, const StoredTensor& stored, const Range& rows, const Range& cols) {
  Tensor part{stored.dtype, rows.size(), cols.size(), {}};
  if (rows.size() == 0 || cols.size() == 0) return part;  // whose other size may be any number
  const auto& [opened, data] = file.files[stored.file];
  const Index of_element = bytes_of(stored.dtype), of_row = stored.cols() * of_element;
  const Index first = data + stored.bytes.begin + rows.begin * of_row + cols.begin * of_element;
  if (cols.size() == stored.cols()) {
    part.bytes = opened.read({first, first + rows.size() * of_row});
    return part;
  }
  for (Index row = 0; row < rows.size(); ++row) {
    const Index at = first + row * of_row;
    const auto bytes = opened.read({at, at + cols.size() * of_element});
    part.bytes.insert(part.bytes.end(), bytes.begin(), bytes.end());
  }
  return part;
}

std::string_view safetensors_name(DType type) {
  switch (type) {
    case DType::f32:
      return "F32";
    case DType::bf16:
      return "BF16";
    case DType::fp16:
      return "F16";
    case DType::e4m3:
      return "F8_E4M3";
    case DType::e5m2:
      return "F8_E5M2";
    case DType::e8m0:
      return "F8_E8M0";
  }
  check_failed("a format", __FILE__, __LINE__, "a format without a safetensors name");
}

}  // namespace lockstep
