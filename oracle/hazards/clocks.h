// Which operations have ended before another starts, whatever the timing. Vector clocks, one entry a chain: a chain is
// a lane of a rank, over all calls as long as their Begin and End order it, so its operations follow one another and a
// clock need only say how far along each chain everything has come.
//
// Clocks are kept only as long as something comes after: the memory is that of the operations in flight.
#pragma once

#include "oracle/hazards/order.h"

namespace lockstep {

class Clocks {
 public:
  Clocks(const Program& program, const Order& order);

  // The next node of Order::sequence is at hand.
  void advance(std::size_t node);
  // Of a node that was at hand before: it has ended before the one at hand starts.
  bool before(std::size_t earlier) const { return now_[chain_[earlier]] >= place_[earlier]; }

 private:
  using Clock = std::vector<std::uint32_t>;
  void find_chains(const Program& program, const Order& order);
  void pass_on(std::size_t to, const Clock& after);

  const Order& order_;
  std::vector<std::vector<std::size_t>> waits_;  // of each signal that ends some
  std::vector<std::uint32_t> chain_, place_;     // of each node; places from 1
  std::vector<Clock> clocks_;                    // of each node that something is known of and that is still to come
  std::vector<Clock> spare_;
  Clock now_;
};

// Of each pair of nodes: whether the first has ended before the second starts.
std::vector<bool> are_ordered(const Program& program, std::span<const std::pair<std::size_t, std::size_t>> pairs);

}  // namespace lockstep
