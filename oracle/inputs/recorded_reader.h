// Reads the tensors and metadata of one recorded operation; every refusal begins with the file's name.
#pragma once

#include "oracle/inputs/safetensors.h"
#include "reference/contract/refusal.h"

#include <fmt/ranges.h>

#include <initializer_list>
#include <optional>

namespace lockstep {

using Types = std::vector<DType>;

inline const Types operand_types{DType::bf16, DType::fp16, DType::e4m3, DType::e5m2};
inline const Types added_types{DType::f32, DType::bf16, DType::fp16};
inline const Types output_types{DType::f32, DType::bf16, DType::fp16, DType::e4m3, DType::e5m2};
inline const Types scale_types{DType::f32};

inline bool is_fp8(DType type) { return bytes_of(type) == 1; }

struct RecordedReader {
  const Safetensors& file;

  template <typename... Args>
  [[noreturn]] void refuse_file(fmt::format_string<Args...> sentence, Args&&... args) const {
    refuse("{}: {}", file.name, fmt::format(sentence, std::forward<Args>(args)...));
  }

  // Of the metadata.
  std::string value(const std::string& key, const std::string& if_absent) const;
  // One of `allowed`, as its place in that list; the first where it is absent.
  std::size_t choice(const std::string& key, std::initializer_list<std::string_view> allowed) const;
  // The operation, as its place among those allowed; it may not be absent.
  std::size_t expect_op(std::initializer_list<std::string_view> allowed) const;
  // fast_accumulate; none where it is absent or unknown.
  std::optional<bool> accumulation() const;
  // A whole number; refused where it is absent and there is no default.
  Index number(const std::string& key, Index least, Index most, std::optional<Index> if_absent = {}) const;

  // Where it lies, of one of these types and at most two dimensions; null where it is not there.
  const StoredTensor* find(std::string_view name, const Types& types) const;
  // `words` says what is required, for the refusal.
  const StoredTensor& found(std::string_view name, const Types& types,
                            std::string_view words = "a recorded operation has input, weight and output") const;
  std::optional<Tensor> tensor(std::string_view name, const Types& types) const;
  Tensor required(std::string_view name, const Types& types) const;

  // Of a tensor, where it is there.
  void expect_shape(std::string_view name, Index rows, Index cols) const;
  // `words` says which names are known, for the refusal.
  void expect_names(const std::vector<std::string>& known, std::string_view words) const;
  void expect_operands(std::string_view input, DType input_type, std::string_view weight, DType weight_type,
                       bool has_scales, bool fast_accumulate) const;
};

}  // namespace lockstep
