#include "oracle/inputs/recorded_reader.h"

#include <algorithm>
#include <charconv>

namespace lockstep {
namespace {

std::string list(const Types& types) {
  std::string names;
  for (DType type : types) names += fmt::format("{}{}", names.empty() ? "" : ", ", safetensors_name(type));
  return names;
}

}  // namespace

std::string RecordedReader::value(const std::string& key, const std::string& if_absent) const {
  const auto found = file.metadata.find(key);
  return found == file.metadata.end() ? if_absent : found->second;
}

std::size_t RecordedReader::choice(const std::string& key, std::initializer_list<std::string_view> allowed) const {
  const std::string text = value(key, std::string(*allowed.begin()));
  const auto found = std::ranges::find(allowed, text);
  if (found == allowed.end())
    refuse_file("the metadata {}={} is not among what can be judged: {}", key, in_quotes(text),
                fmt::join(allowed, ", "));
  return static_cast<std::size_t>(found - allowed.begin());
}

std::size_t RecordedReader::expect_op(std::initializer_list<std::string_view> allowed) const {
  if (!file.metadata.contains("op"))
    refuse_file("its metadata has no op, so it is no recorded operation; check reads {}", fmt::join(allowed, ", "));
  return choice("op", allowed);
}

std::optional<bool> RecordedReader::accumulation() const {
  if (!file.metadata.contains("fast_accumulate")) return std::nullopt;
  const std::size_t said = choice("fast_accumulate", {"0", "1", "unknown"});
  return said == 2 ? std::nullopt : std::optional(said == 1);
}

Index RecordedReader::number(const std::string& key, Index least, Index most, std::optional<Index> if_absent) const {
  if (if_absent && !file.metadata.contains(key)) return *if_absent;
  if (!file.metadata.contains(key))
    refuse_file("its metadata has no {}: a whole number from {} to {}", key, least, most);
  const std::string text = value(key, "");
  Index n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || n < least || n > most)
    refuse_file("the metadata {}={} is not a whole number from {} to {}", key, in_quotes(text), least, most);
  return n;
}

const StoredTensor* RecordedReader::find(std::string_view name, const Types& types) const {
  const StoredTensor* stored = file.find(name);
  if (!stored) return nullptr;
  if (std::ranges::find(types, stored->dtype) == types.end())
    refuse_file("{} is {}; it may be {}", name, safetensors_name(stored->dtype), list(types));
  if (stored->shape.size() > 2)
    refuse_file("tensor {} has {} dimensions; at most 2 are read", in_quotes(stored->name), stored->shape.size());
  return stored;
}

const StoredTensor& RecordedReader::found(std::string_view name, const Types& types, std::string_view words) const {
  const StoredTensor* stored = find(name, types);
  if (!stored) refuse_file("has no tensor {}: {}", name, words);
  return *stored;
}

std::optional<Tensor> RecordedReader::tensor(std::string_view name, const Types& types) const {
  const StoredTensor* stored = find(name, types);
  return stored ? std::optional(load(file, *stored)) : std::nullopt;
}

Tensor RecordedReader::required(std::string_view name, const Types& types) const {
  return load(file, found(name, types));
}

void RecordedReader::expect_shape(std::string_view name, Index rows, Index cols) const {
  const StoredTensor* t = file.find(name);
  if (t && (t->rows() != rows || t->cols() != cols))
    refuse_file("{} is {} x {}; by the metadata and the other shapes it is {} x {}", name, t->rows(), t->cols(), rows,
                cols);
}

void RecordedReader::expect_names(const std::vector<std::string>& known, std::string_view words) const {
  for (const StoredTensor& stored : file.tensors)
    if (std::ranges::find(known, stored.name) == known.end())
      refuse_file("tensor {} is none of this recorded operation: {}", in_quotes(stored.name), words);
}

void RecordedReader::expect_operands(std::string_view input, DType input_type, std::string_view weight,
                                     DType weight_type, bool has_scales, bool fast_accumulate) const {
  if (input_type != weight_type && !(is_fp8(input_type) && is_fp8(weight_type)))
    refuse_file("{} is {} and {} {}: they are alike, or both of one byte", input, safetensors_name(input_type), weight,
                safetensors_name(weight_type));
  if (!is_fp8(input_type) && has_scales)
    refuse_file("has scales of {} operands: only those of one byte have scales", safetensors_name(input_type));
  if (!is_fp8(input_type) && fast_accumulate)
    refuse_file("says fast_accumulate=1 of {} operands: only those of one byte have it", safetensors_name(input_type));
}

}  // namespace lockstep
