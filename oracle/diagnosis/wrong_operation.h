// Which operation does not do what it says: a program as it runs on the host, each operation's output held against what
// its own inputs imply (implied.h).
#pragma once

#include "oracle/diagnosis/implied.h"
#include "oracle/judges/judge.h"

#include <optional>

namespace lockstep {

struct WrongOperation {
  Step step;        // of the program
  Region region;    // that is wrong after it
  Index wrong = 0;  // elements of it, and of how many
  Index of = 0;
  Index row = 0, col = 0;  // the first of them, within the region
  DType type = DType::f32;
  std::uint32_t got = 0, must = 0;
};

struct Looked {
  Observed observed;
  Index operations = 0;                 // that were looked at
  std::optional<WrongOperation> wrong;  // the first
};

// What the executor does, in the test's hands: host_effect but for mistakes put in.
using EffectOf = std::function<Effect(const Program&, Memory&, Arithmetic)>;

Looked look_on(const Prepared& prepared, const Program& program, const EffectOf& effect_of = host_effect);

// The same run, with the output of one operation put right.
Observed put_right(const Prepared& prepared, const Program& program, const Step& step,
                   const EffectOf& effect_of = host_effect);

}  // namespace lockstep
