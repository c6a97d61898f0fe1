#include "oracle/inputs/safetensors.h"

#include "oracle/inputs/safetensors_header.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <cstring>

#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

constexpr std::size_t length_bytes = 8;

// The length of the header, within the file and within reason.
std::size_t header_length(const std::string& path, std::span<const std::byte> bytes) {
  if (bytes.size() < length_bytes)
    refuse("{}: has {} bytes: a safetensors file begins with 8 bytes that give the length of its header", path,
           bytes.size());
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), length_bytes);
  if (length > max_safetensors_header)
    refuse("{}: is not safetensors: its first 8 bytes give a header of {} bytes, and the longest read is {}", path,
           length, max_safetensors_header);
  if (length > bytes.size() - length_bytes)
    refuse("{}: is truncated: its header has {} bytes, the file {} in all", path, length, bytes.size());
  return length;
}

}  // namespace

const StoredTensor* Safetensors::find(std::string_view name) const {
  const auto found = std::ranges::find(tensors, name, &StoredTensor::name);
  return found == tensors.end() ? nullptr : &*found;
}

Safetensors read_safetensors(const std::string& path) {
  MappedFile file(path);
  const std::size_t length = header_length(path, file.bytes());
  const auto header = file.bytes().subspan(length_bytes, length), data = file.bytes().subspan(length_bytes + length);
  const std::string_view text(reinterpret_cast<const char*>(header.data()), header.size());
  auto [metadata, tensors] = parse_safetensors_header(path, text, std::ssize(data));
  return {path, std::move(file), data, std::move(metadata), std::move(tensors)};
}

Tensor load(const Safetensors& file, const StoredTensor& stored) {
  const auto& shape = stored.shape;
  if (shape.size() > 2)
    refuse("{}: tensor {} has {} dimensions; at most 2 are read", file.path, in_quotes(stored.name), shape.size());
  const Index rows = shape.size() == 2 ? shape[0] : 1, cols = shape.empty() ? 1 : shape.back();
  const auto bytes =
      file.data.subspan(static_cast<std::size_t>(stored.bytes.begin), static_cast<std::size_t>(stored.bytes.size()));
  return {stored.dtype, rows, cols, {bytes.begin(), bytes.end()}};
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
