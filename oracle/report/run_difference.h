// How two JSONs of `lockstep run` differ: the verdict, the counts, and the failures by their case lines.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace lockstep {

struct FieldDifference {
  std::string field;  // "agree", "failure op=gemm_rs .., class"
  std::string a, b;   // "" : not there
};

// Without what is measured, as seconds. `names` are of the files, for refusals.
std::vector<FieldDifference> run_difference(const nlohmann::json& a, const nlohmann::json& b, const std::string& a_name,
                                            const std::string& b_name);

}  // namespace lockstep
