// What is written of a case when it begins and when it has ended, one line of JSON each: into a journal, and through
// the pipe of a process that judges cases for another. A result comes back with all that a summary says of it; the
// single elements that differ are found anew by running the case.
//
//   {"begin": 7, "case": "op=.."}
//   {"end": 7, "case": "op=..", "verdict": "agree", "judge": "exact", "outputs": "1f3a..", ...}
#pragma once

#include "oracle/campaign/campaign.h"

#include <nlohmann/json_fwd.hpp>

namespace lockstep {

struct Record {
  Index number = 0;
  Case a_case;
  std::optional<CaseResult> result{};  // none: it begins
};

std::string line_of(const Record& record);
// Refuses what is no record, and one that would be written otherwise.
Record record_of(const std::string& line);

// From 0 to 2^64 - 1, or 2^63 - 1; throws a std::out_of_range for whatever else the value is.
std::uint64_t natural_number(const nlohmann::json& value);
Index natural_index(const nlohmann::json& value);

}  // namespace lockstep
