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

const StoredTensor* Safetensors::find(std::string_view name) const {
  const auto found = std::ranges::find(tensors, name, &StoredTensor::name);
  return found == tensors.end() ? nullptr : &*found;
}

Safetensors read_safetensors(const std::string& path) {
  OpenFile file(path);
  const Index data = length_bytes + header_length(file);
  const auto header = file.read({length_bytes, data});
  const std::string_view text(reinterpret_cast<const char*>(header.data()), header.size());
  auto [metadata, tensors] = parse_safetensors_header(file.name(), text, file.size() - data);
  return {std::move(file), data, std::move(metadata), std::move(tensors)};
}

Tensor load(const Safetensors& file, const StoredTensor& stored) {
  const auto& shape = stored.shape;
  if (shape.size() > 2)
    refuse("{}: tensor {} has {} dimensions; at most 2 are read", file.file.name(), in_quotes(stored.name),
           shape.size());
  const Index rows = shape.size() == 2 ? shape[0] : 1, cols = shape.empty() ? 1 : shape.back();
  return {stored.dtype, rows, cols, file.file.read({file.data + stored.bytes.begin, file.data + stored.bytes.end})};
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
