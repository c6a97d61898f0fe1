// BasicLinear on what each rank holds, communication apart:
//
//   forward    Y_r = X_r W_r^T                     X [m, k], W [n, k], Y [m, n], not rounded
//   backward   dX_r = dY_r W_r                     not rounded
//              dW_r = dY_r^T X_r (+ main_grad)     rounded once
//
// The recipe quantises X, W and dY with the scales of the forward pass; K of dW are the tokens, whose blocks start anew
// at each rank's shard of them.
#pragma once

#include "reference/ops/product.h"
#include "reference/ops/sample.h"

#include <map>
#include <optional>

namespace lockstep {

// Of each rank; empty but under delayed scaling.
template <typename Number>
using LayerScales = std::map<Role, std::vector<ScaleState<Number>>>;

template <typename Number>
struct Quantizer {
  const Recipe& recipe;
  const LayerScales<Number>& scales;
  const Sample& sample;

  ScaleState<Number> state(Role role, std::size_t rank) const {
    const auto found = scales.find(role);
    return found == scales.end() ? ScaleState<Number>{} : found->second[rank];
  }
  Quantized<Number> operator()(Role role, std::size_t rank, const MatrixOf<Number>& x) const {
    auto q = quantize(recipe, role, x, state(role, rank));
    q.wanted = sample.rows(role, false, rank);
    return q;
  }
  Quantized<Number> transposed(Role role, std::size_t rank, const MatrixOf<Number>& x, Index k_parts) const {
    auto q = quantize_transposed(recipe, role, x, state(role, rank), k_parts);
    q.wanted = sample.rows(role, true, rank);
    return q;
  }
};

template <typename Number>
RanksOf<Number> basic_linear(const RanksOf<Number>& x, const RanksOf<Number>& w, const Quantizer<Number>& quantizer,
                             const Declaration& declared) {
  RanksOf<Number> y;
  for (std::size_t rank = 0; rank < x.size(); ++rank)
    y.push_back(product(quantizer(Role::x, rank, x[rank]), quantizer(Role::w, rank, w[rank]), declared));
  return y;
}

template <typename Number>
RanksOf<Number> input_gradient(const RanksOf<Number>& dy, const RanksOf<Number>& w, const Quantizer<Number>& quantizer,
                               const Declaration& declared) {
  RanksOf<Number> dx;
  for (std::size_t rank = 0; rank < dy.size(); ++rank)
    dx.push_back(
        product(quantizer(Role::dy, rank, dy[rank]), quantizer.transposed(Role::w, rank, w[rank], 1), declared));
  return dx;
}

// main_grad: empty, or what dW is added to; `output` is the type of dW.
template <typename Number>
RanksOf<Number> weight_gradient(const RanksOf<Number>& dy, const RanksOf<Number>& x, const RanksOf<Number>& main_grad,
                                const Quantizer<Number>& quantizer, const Declaration& declared, DType output) {
  const auto shards = std::ssize(dy);
  RanksOf<Number> dw;
  for (std::size_t rank = 0; rank < dy.size(); ++rank) {
    const MatrixOf<Number> p = product(quantizer.transposed(Role::dy, rank, dy[rank], shards),
                                       quantizer.transposed(Role::x, rank, x[rank], shards), declared);
    dw.push_back(matrix_of<Number>(p.rows, p.cols, [&](Index i, Index j) {
      return round_to(output, main_grad.empty() ? p(i, j) : add(p(i, j), main_grad[rank](i, j)));
    }));
  }
  return dw;
}

}  // namespace lockstep
