#include "reference/numerics/accumulator.h"

#include <fmt/format.h>

namespace lockstep {

std::string describe(const Accumulator& accumulator) {
  if (accumulator.summation == Summation::exact) return "exact sum";
  if (accumulator.summation == Summation::f32) return "float sum, K in order";
  const auto [summation, products, fraction_bits, kept_bits, promote_every] = accumulator;
  const auto promotion = promote_every == 0 ? "" : fmt::format(", into a float sum every {} of K", promote_every);
  return fmt::format("tensor core, {} products a step, {} fraction bits a term, {} kept{}", products, fraction_bits,
                     kept_bits, promotion);
}

}  // namespace lockstep
