// What a program shows of itself, to hold other programs against: what is found in it without running it, its bits on
// the inputs of a case, and what reached its outputs. Two programs with the same symptoms cannot be told apart on the
// case.
#pragma once

#include "oracle/judges/judge.h"

namespace lockstep {

class Symptoms {
 public:
  explicit Symptoms(const Program& program);  // without bits, so that no inputs are needed
  Symptoms(const Prepared& prepared, const Program& program);

  bool also_of(const Program& other) const;

 private:
  bool same_bits(const Program& other) const;
  bool like(const Program& other) const;

  Verdict of_plan_;
  const Prepared* prepared_ = nullptr;  // none: no bits
  std::vector<std::string> hazards_;
  std::vector<NamedTensors> bits_;
  std::vector<SymbolsByName> symbols_;
};

}  // namespace lockstep
