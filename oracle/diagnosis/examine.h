// A case judged and, where it fails, explained as it is: without looking for a smaller one.
#pragma once

#include "oracle/diagnosis/explain.h"

namespace lockstep {

struct Examined {
  Verdict verdict;
  Explanation explanation;  // of a verdict that failed
};

Examined examine(const Case& a_case, const std::string& likeliest = "");
Examined examine(const Prepared& prepared, const Program& program, const std::string& likeliest = "");

// Its likeliest fault; "" where no fault explains it.
std::string likeliest_of(const Examined& examined);

}  // namespace lockstep
