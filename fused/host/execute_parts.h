// A program whose operations are seen half done, in any order or on real threads. The memory is that of the program in
// parts; what is returned, and what the watch is told, speaks of the whole program: an operation begins and ends as
// often as it has parts.
#pragma once

#include "fused/host/execute.h"
#include "fused/host/threads.h"
#include "fused/host/watch.h"
#include "fused/plan/parts.h"

namespace lockstep {

// What a walk of the parts says, of the whole program.
Walked of_wholes(const ProgramInParts& parts, Walked walked);

// Parts are operations of their own: `pick` chooses among them.
Walked execute_parts(const ProgramInParts& parts, const Pick& pick, Memory& memory, Arithmetic arithmetic,
                     const Watch& watch = {});

// A lane's thread does the parts of an operation one after the other, with delays between, the first as the seed says.
Walked execute_in_threads(const Program& whole, const ProgramInParts& parts, const Threads& threads, Memory& memory,
                          Arithmetic arithmetic, const Watch& watch = {});

}  // namespace lockstep
