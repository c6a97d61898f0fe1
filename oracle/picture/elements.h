// Every element of every output of a run beside what it must be, and whether it is wrong.
//
//   values    wrong where the bits differ (oracle/judges/same_value.h); under judge=bound, where beyond the bound
//   symbols   wrong where what reached it is not what the layer says: for failures that values do not show
//
// freivalds and relations say no value for each element: under them the case is taken by the strongest judge that its
// data allow.
#pragma once

#include "oracle/judges/judge.h"

#include <functional>

namespace lockstep {

struct Outputs {
  Case a_case;
  std::vector<NamedTensors> got, wanted;  // of each call, all ranks of the world
  std::vector<BoundsOfRanks> bounds;      // of each call; none where none are known
  std::vector<SymbolsByName> got_symbols;
  std::vector<SymbolsOfRanks> wanted_symbols;
  bool by_bound = false, by_symbols = false;
};

Outputs outputs_of(const Case& a_case, const Program& program, const Verdict& verdict);

// What one rank holds of an output, and where that lies in the whole tensor of its group.
struct Part {
  Index call = 0;
  std::string output;
  Index rank = 0, group = 0;  // the rank in the world
  DType type = DType::f32;
  Range rows, cols;
};

// Of the outputs that the judges look at, by call, output (y first, what is kept last), group and rank in the group.
std::vector<Part> parts_of(const Outputs& outputs);

struct SeenElement {
  Index row = 0, col = 0;  // in the whole tensor
  bool is_wrong = false;
  std::uint32_t got = 0, want = 0;  // codes
  const Bounded* bound = nullptr;   // what any correct arithmetic may give
};

// Of those that are judged, row by row.
void for_each_element(const Outputs& outputs, const Part& part, const std::function<void(const SeenElement&)>& visit);

}  // namespace lockstep
