// Why a case failed: which fault of the catalogue, put into the correct program, shows the same: the same findings of
// its plan, the same wrong bits everywhere (symptoms.h); and what the wrong values say themselves.
#pragma once

#include "oracle/diagnosis/decode.h"

#include <functional>

namespace lockstep {

struct Explanation {
  std::vector<std::string> faults{};    // ids, of all that show the same; the likeliest first
  std::string kind;                     // the class of the first, or the judge where there is none
  std::string operation{};              // the first that it changes: "call 0, rank 1, compute 0: gemm, split 2"
  std::string where;                    // "call 0, split 1 of 2 (columns 1..1), ranks 0..1 (rows 0..1)"
  std::string sentence{};               // for a person
  std::vector<Reading> readings{};      // of what the values say, on exact data of the same case: the best three
  std::vector<std::string> patterns{};  // of how its wrong elements lie there (pattern.h)
};

// The program under test, for another case.
using ProgramOf = std::function<Program(const Case&)>;

// `program` is what was judged. A fault that is `likeliest` already stands first where it explains the case at all.
// Where the program can be had `again` for other sizes, faults that look alike on the case are told apart on those.
Explanation explain(const Prepared& prepared, const Program& program, const Verdict& verdict,
                    const std::string& likeliest = "", const ProgramOf& again = {});

// Whether this fault alone would do.
bool is_explained_by(const std::string& fault, const Prepared& prepared, const Program& program);

}  // namespace lockstep
