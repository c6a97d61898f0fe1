// The buffers of a kernel under test in one image: each begins at a multiple of 256 bytes, with 256 bytes or more
// before and after it. Around and between the rows of an input is NaN, so that what is read beside it shows; around
// those of an output a pattern, so that anything written there does.
#pragma once

#include "oracle/inputs/inputs.h"

#include <optional>
#include <string_view>

namespace lockstep {

// A main gradient is one buffer of all calls.
inline constexpr Index all_calls = -1;
inline Index call_holding(std::string_view name, Index call) { return name == "main_grad" ? all_calls : call; }

struct KernelBuffer {
  std::string name;  // "x", "scale_inv.x", "y", "main_grad"
  Index call = 0, rank = 0;
  bool is_input = false;
  DType dtype = DType::f32;
  Index rows = 0, cols = 0, leading_dimension = 0;
  Index begin = 0, contents = 0, end = 0;  // bytes of the image: of all that is looked at, of the first element
};

class KernelMemory {
 public:
  // Rows begin at multiples of so many bytes.
  explicit KernelMemory(Index row_alignment) : row_alignment_(row_alignment) {}

  // With these contents: an input is never to be written, an output is.
  void add(const std::string& name, Index call, Index rank, bool is_input, const Tensor& contents);

  const std::vector<std::byte>& image() const { return image_; }
  // Refuses nothing: nullptr where there is no such buffer.
  const KernelBuffer* find(const std::string& name, Index call, Index rank) const;

  // What was written in an image that came back and should not have been: buffer, rank and element, in a sentence.
  std::optional<std::string> wrongly_written(const std::vector<std::byte>& after) const;
  static Tensor read(const KernelBuffer& buffer, const std::vector<std::byte>& image);

 private:
  Index row_alignment_;
  std::vector<KernelBuffer> buffers_;
  std::vector<std::byte> image_;
};

}  // namespace lockstep
