// Why a case failed: which fault of the catalogue, put into the correct program, gives the same wrong bits everywhere,
// and what the wrong values say themselves.
#pragma once

#include "oracle/diagnosis/decode.h"

namespace lockstep {

struct Explanation {
  std::vector<std::string> faults;  // ids, of all that give the same bits; the likeliest first
  std::string kind;                 // the class of the first, or the judge where there is none
  std::string where;                // "call 0, split 1 of 2 (columns 1..1), ranks 0..1 (rows 0..1)"
  std::string sentence;             // for a person
  std::vector<Reading> readings;    // of what the values say, on exact data of the same case: the best three
};

// `program` is what was judged. A fault that is `likeliest` already stands first where it explains the case at all.
Explanation explain(const Prepared& prepared, const Program& program, const Verdict& verdict,
                    const std::string& likeliest = "");

// Whether this fault alone would do.
bool is_explained_by(const std::string& fault, const Prepared& prepared, const Program& program,
                     const Verdict& verdict);

}  // namespace lockstep
