// A dump of a linear layer made for a test: the outputs by dense matrices over no ranks at all, in double.
#pragma once

#include "oracle/inputs/random.h"
#include "oracle/inputs/safetensors.h"
#include "oracle/inputs/shards.h"
#include "reference/ops/ranks.h"

#include <fmt/format.h>

#include <functional>
#include <map>

namespace lockstep {

struct LinearDump {
  Problem problem;
  DType type = DType::f32, operands = DType::f32;  // of outputs and bias; of x, w and dy
  bool bias_is_late = false;
  Metadata metadata = {};
  std::map<std::string, Tensor> tensors = {};

  Tensor& at(Index rank, const char* tensor) { return tensors.at(fmt::format("rank{}.{}", rank, tensor)); }
  void put(Index rank, const char* tensor, DType of, const Matrix& m) {
    tensors[fmt::format("rank{}.{}", rank, tensor)] = encode(of, m);
  }
};

using Draw = std::function<float(Random&)>;

inline float small_number(Random& random) { return static_cast<float>(random.between(-3, 3)); }
inline float normal_number(Random& random) { return random.normal(); }

inline Matrix drawn(DType type, Index rows, Index cols, const Draw& draw, Random& random) {
  Matrix m(rows, cols);
  for (float& value : m.values) value = draw(random);
  return decode(encode(type, m));
}

// a b^T
inline Matrix dense(const Matrix& a, const Matrix& b) {
  Matrix c(a.rows, b.rows);
  for (Index i = 0; i < c.rows; ++i)
    for (Index j = 0; j < c.cols; ++j) {
      double sum = 0;
      for (Index k = 0; k < a.cols; ++k) sum += double{a(i, k)} * double{b(j, k)};
      c(i, j) = static_cast<float>(sum);
    }
  return c;
}

inline LinearDump linear_dump(const Problem& p, DType type, DType operands, bool bias_is_late, const Draw& draw,
                              Random& random) {
  LinearDump dump{p, type, operands, bias_is_late};
  const bool is_fp8 = bytes_of(operands) == 1;
  const Matrix x = drawn(operands, p.tokens, p.in, draw, random), w = drawn(operands, p.out, p.in, draw, random),
               dy = drawn(operands, p.tokens, p.out, draw, random);
  Matrix y = dense(x, w), dx = dense(dy, transposed(w)), dw = dense(transposed(dy), transposed(x));
  Matrix sums(p.tp, p.out);  // of dy, over the tokens that each rank sums
  std::vector<Matrix> biases;
  for (Index r = 0; r < p.tp; ++r) {
    const Range of_bias = p.out_of(r);
    biases.push_back(bias_is_late && p.is_row() && r > 0 ? biases[0] : drawn(type, 1, of_bias.size(), draw, random));
    for (Index t = 0; t < p.tokens; ++t)
      for (Index j = 0; j < p.out; ++j)
        if (!bias_is_late || !p.is_row() || p.tokens_of(r).contains(t)) sums(r, j) += dy(t, j);
    if (bias_is_late && p.is_row() && r > 0) continue;
    for (Index t = 0; t < p.tokens; ++t)
      for (Index j = 0; j < of_bias.size(); ++j) y(t, of_bias.begin + j) += biases.back()(0, j);
  }
  for (Index r = 0; r < p.tp; ++r) {
    const Range out = p.out_of(r);
    dump.put(r, "x", operands, cut(x, x_block(p, r)));
    dump.put(r, "w", operands, cut(w, w_block(p, r)));
    dump.put(r, "dy", operands, cut(dy, y_block(p, r)));
    dump.put(r, "b", type, biases[static_cast<std::size_t>(r)]);
    dump.put(r, "y", type, cut(y, y_block(p, r)));
    dump.put(r, "dx", type, cut(dx, x_block(p, r)));
    dump.put(r, "dw", type, cut(dw, w_block(p, r)));
    if (!is_fp8) dump.put(r, "db", type, cut(sums, {{r, r + 1}, out}));
    for (const char* scale : {"x_scale_inv", "w_scale_inv", "dy_scale_inv"})
      if (is_fp8) dump.put(r, scale, DType::f32, matrix_of<float>(1, 1, [](Index, Index) { return 1.0f; }));
  }
  dump.metadata = {{"op", p.is_row() ? "row_linear" : "column_linear"},
                   {"tp", std::to_string(p.tp)},
                   {"tokens", std::to_string(p.tokens)},
                   {"in_features", std::to_string(p.in)},
                   {"out_features", std::to_string(p.out)},
                   {"bias", bias_is_late ? "after" : "per_rank"}};
  return dump;
}

inline NamedTensor named(const std::string& name, const Tensor& tensor) {
  return {name, {tensor.rows, tensor.cols}, tensor};
}

inline void save(const std::string& path, const LinearDump& dump) {
  std::vector<NamedTensor> tensors;
  for (const auto& [name, tensor] : dump.tensors) tensors.push_back(named(name, tensor));
  write_safetensors(path, dump.metadata, tensors);
}

// One file for rank r: its tensors without the prefix.
inline void save_rank(const std::string& path, const LinearDump& dump, Index rank) {
  const std::string prefix = fmt::format("rank{}.", rank);
  std::vector<NamedTensor> tensors;
  for (const auto& [name, tensor] : dump.tensors)
    if (name.starts_with(prefix)) tensors.push_back(named(name.substr(prefix.size()), tensor));
  Metadata metadata = dump.metadata;
  metadata["rank"] = std::to_string(rank);
  write_safetensors(path, metadata, tensors);
}

}  // namespace lockstep
