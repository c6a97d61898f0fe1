#include "oracle/diagnosis/hypotheses.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

// What each rank's part is multiplied with.
using Factor = std::function<double(const Element&, std::size_t part)>;

Hypothesis scaled(DType type, std::string words, const Terms& terms, const Factor& factor) {
  return says(type, 3, std::move(words), [&terms, factor](const Element& e) {
    double sum = 0;
    for (std::size_t s = 0; s < terms.products.size(); ++s) {
      const double bias = terms.bias_is_summed ? static_cast<double>(terms.bias(static_cast<Index>(s), e.col)) : 0.0;
      sum += factor(e, s) * (terms.products[s](e.row, e.col) + bias);
    }
    return sum + terms.after(e.rank, e.col);
  });
}

std::vector<double> scales_of(const Prepared& prepared, const std::string& name) {
  std::vector<double> scales;
  for (const Tensor& scale : prepared.inputs[0].at(name)) scales.push_back(value_at(scale, 0, 0));
  return scales;
}

}  // namespace

Hypotheses by_wire(const Prepared& prepared, const Evidence& evidence, const Terms& terms) {
  const Call& call = prepared.a_case.calls[static_cast<std::size_t>(evidence.call)];
  const std::string name = "scale." + evidence.output;
  if (!call.fp8_wire || evidence.call > 0 || !terms.by_rank() || !prepared.inputs[0].contains(name)) return {};
  const std::vector<double> scale = scales_of(prepared, name);
  Hypotheses all{scaled(evidence.type, "every part decoded by the scale of the rank that adds", terms,
                        [scale, &terms](const Element& e, std::size_t s) {
                          return scale[s] / scale[static_cast<std::size_t>(terms.adder(e.rank, e.row))];
                        })};
  for (std::size_t r = 0; r < scale.size(); ++r)
    all.push_back(scaled(evidence.type, fmt::format("every part decoded by the scale of rank {}", r), terms,
                         [scale, r](const Element&, std::size_t s) { return scale[s] / scale[r]; }));
  all.push_back(scaled(evidence.type, "every part decoded without its scale", terms,
                       [scale](const Element&, std::size_t s) { return scale[s]; }));
  all.push_back(scaled(evidence.type, "every part encoded without its scale", terms,
                       [scale](const Element&, std::size_t s) { return 1 / scale[s]; }));
  return all;
}

}  // namespace lockstep
