// Why a program hangs, in one bounded sentence: who waits for whom in a chain, which names the circle where there is
// one; what every counter stands at; and the other waits that never end.
//
//   the program hangs: call 0, rank 0, receive: wait: waits for fprop.sent of rank 1 to reach 1, which stays at 0, its
//   next signal is call 0, rank 1, send: signal, whose way is barred by ...; ... a circle of 2 waits, ...; counters:
//   fprop.sent = 0 of ranks 1..3 (waited for), fprop.sent = 1 of rank 0; 3 more waits: ...
#pragma once

#include "fused/host/walk.h"

namespace lockstep {

inline constexpr std::size_t most_of_a_hang = 12;  // of each list: links of the chain, counters, waits

std::string describe_hang(const Program& program, const Walked& walked);

}  // namespace lockstep
