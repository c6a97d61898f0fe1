// Does a failure become small, and does its explanation name the fault? For each fault of the catalogue the first
// random case that it makes fail, reduced and explained without knowing it.
#pragma once

#include "oracle/diagnosis/reduce.h"
#include "oracle/faults/fault.h"

#include <nlohmann/json_fwd.hpp>

#include <span>

namespace lockstep {

inline constexpr Index largest_reduced_tp = 4, largest_reduced_output = 4096;

// Elements of all outputs of all calls: of whole tensors, once a group.
Index output_elements(const Case& a_case);

struct ReducedFault {
  const Fault* fault = nullptr;
  std::optional<Reduced> reduced;  // none: no case was found to fail
  double seconds_to_find = 0;

  bool is_small() const;
  bool is_named() const;  // the explanation has the fault first
  bool passes() const { return is_small() && is_named(); }
};

// At most `cases` random ones are tried for each fault.
std::vector<ReducedFault> reduction_score(std::span<const Fault> faults, std::uint64_t seed, Index cases,
                                          Index threads);

// A line a fault that is not small or not named, then the shares, the largest cases and the times.
std::string print_reductions(const std::vector<ReducedFault>& all);
nlohmann::json reductions_json(const std::vector<ReducedFault>& all);

}  // namespace lockstep
