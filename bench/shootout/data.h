// What others test on: each element of a tensor is drawn from its rank, its place and a seed. The distributions are
// those of the sources; the generators of random bits are not (torch's, rand()), so a value is not theirs to the bit.
#pragma once

#include "oracle/inputs/random.h"

#include <functional>
#include <string>

namespace lockstep::shootout {

struct Place {
  Index rank, row, col;  // of the rank's own tensor
};

struct Generator {
  std::string words;
  std::function<float(Random&, const Place&)> draw;
  bool same_on_every_rank = false;
};

Generator uniform(float least, float most);  // [least, most)
Generator uniform_by_rank(float scale);      // [-scale (rank + 1), scale (rank + 1))
Generator normal(float deviation);           // mean 0; near normal (oracle/inputs/random.h)
Generator whole(Index least, Index most);    // whole numbers, each as likely
Generator sparse(Index most, Index one_in);  // whole numbers in [-most, most], all but one in `one_in` zero
Generator constant(float value);
Generator identity();                                     // the identity matrix: the product is the other operand
Generator held_in(DType type, float scale, Generator g);  // rounded to the codes of `type` by `scale`
Generator on_every_rank(Generator g);                     // all ranks the same tensor

}  // namespace lockstep::shootout
