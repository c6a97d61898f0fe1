// What one process of a team does of a program: the operations of its ranks, one at a time, any that may start, as the
// seed says; what the lanes of a rank may do at once it does in any order.
//
//   a signal     is added to its counter, an atomic 64-bit number in the memory of the node (release), on every node
//   a wait       looks at the copy of its own node (acquire)
//   a region     of a rank on this node is read and written where it lies. Of another node it is fetched to its place
//                here before the operation, or put from here to there after it, and is there before the next begins
//
// Of two operations on one region that lie on different nodes the plan orders every pair of which one writes, so a copy
// here is never older than what the operation may read.
#pragma once

#include "fused/host/execute.h"
#include "fused/host/ready.h"
#include "fused/mpi/piece.h"
#include "fused/mpi/team_state.h"

namespace lockstep {

class Share {
 public:
  Share(const Program& program, TeamState& team, const Piece& piece, const InTeam& how);
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;

  // Executes the operations that may start, until none may.
  void go_on();
  const Ready& ready() const { return ready_; }

 private:
  bool satisfied(const Step& step, const Wait& wait) const;
  void execute(const Step& step);
  void fetch(const Step& step);
  void push(const Step& step);
  void signal(const Step& step, const Signal& signal);
  // The rows of a region of another node.
  std::vector<std::span<std::byte>> rows_elsewhere(const Step& step, const Region& region);

  const Program& program_;
  TeamState& team_;
  Piece piece_;
  Memory memory_;
  Counters counters_;  // of names and bases; the values are the piece's
  Effect effect_;
  Pick pick_;
  std::uint64_t seed_;
  Ready ready_;
};

}  // namespace lockstep
