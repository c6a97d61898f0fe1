// safetensors files: named tensors with a JSON header in front.
//
//   8 bytes            length of the header, little-endian
//   header             {"__metadata__": {key: string}, name: {"dtype", "shape", "data_offsets": [begin, end]}}
//   data               the tensors, row-major, little-endian; offsets count from here
//
// The reader believes nothing: before a tensor can be had, its extent was checked against its shape and format, and all
// extents together cover the data once, without hole or overlap. Whatever is wrong is a Refusal that names the file,
// the tensor and what is allowed. Only the header is read at once, a tensor when it is loaded. Source:
// https://github.com/huggingface/safetensors#format
#pragma once

#include "oracle/inputs/safetensors_file.h"
#include "reference/contract/partition.h"
#include "reference/contract/quote.h"
#include "reference/contract/tensor.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

using Metadata = std::map<std::string, std::string>;

struct StoredTensor {
  std::string name;
  DType dtype = DType::f32;
  std::vector<Index> shape;
  Range bytes;           // of the data
  std::size_t file = 0;  // which of the files holds it

  // As a matrix: no dimension is 1 x 1, one is a row.
  Index rows() const { return shape.size() == 2 ? shape[0] : 1; }
  Index cols() const { return shape.empty() ? 1 : shape.back(); }
};

struct DataFile {
  OpenFile file;
  Index data = 0;  // where it begins in the file
};

// One file, or several read as one (dump.h).
struct Safetensors {
  std::string name;  // as a sentence shows it
  std::vector<DataFile> files;
  Metadata metadata;
  std::vector<StoredTensor> tensors;  // in the order of their bytes

  const StoredTensor* find(std::string_view tensor) const;  // null: not there
};

inline constexpr Index max_safetensors_header = Index{16} << 20;

Safetensors read_safetensors(const std::string& path);

// As a matrix; refuses more than two dimensions.
Tensor load(const Safetensors& file, const StoredTensor& stored);
// Some rows and columns of it; no more is read.
Tensor load(const Safetensors& file, const StoredTensor& stored, const Range& rows, const Range& cols);

// "F8_E4M3", as the header names formats.
std::string_view safetensors_name(DType type);

struct NamedTensor {
  std::string name;
  std::vector<Index> shape;
  Tensor tensor;
};

// Tensors lie in the order given. Refuses where the file cannot be written.
void write_safetensors(const std::string& path, const Metadata& metadata, const std::vector<NamedTensor>& tensors);

}  // namespace lockstep
