// In which order the fused plan of a call sums, found by running it on probes, held against what is declared for it
// (oracle/judges/expected.h). Of the product of each pass (plan_product.h):
//
//   over K       on every rank: the rows that it keeps are a probe (probe.h) of its own part of the contraction
//   over ranks   for every owner of rows, every half of them and every panel of columns that the method has: element
//                (i, j) of rank r's product is mask if r = i, -mask if r = j, else one; exact on the wire
//   rounding     which type the sum so far is rounded to before a third rank is added, which one a contribution: 1,
//   then
//                2^-s, then -1 leave 2^-s only if what stands between them keeps s fraction bits
//
// The gradient of the weight is not looked at.
#pragma once

#include "reference/contract/case.h"

#include <string>
#include <vector>

namespace lockstep {

struct OrderFound {
  std::string what{};      // "forward, sum over the ranks"
  std::string where{};     // "rank 2", "rank 2, split 1", "every rank"
  std::string found{};     // a tree, a type, or a finding
  std::string declared{};  // what must stand there
  bool agrees = false;
};

// What is alike on every rank is said once. Refuses a recipe (8 bits hold no mask that a float sum loses), and sizes
// that do not fit.
std::vector<OrderFound> orders_of(const Call& call);

// Those of one pass.
void find_order_over_k(std::vector<OrderFound>& all, const Call& call, Pass pass);
void find_order_over_ranks(std::vector<OrderFound>& all, const Call& call, Pass pass);

}  // namespace lockstep
