#include "fused/host/ready.h"

#include <algorithm>

namespace lockstep {

Ready::Ready(const Program& program, Satisfied satisfied, const TakesPart& takes_part)
    : program_(program),
      graph_(graph_of(program)),
      satisfied_(std::move(satisfied)),
      left_(graph_.predecessors),
      ended_(graph_.steps.size(), false) {
  for (std::size_t node = 0; node < graph_.steps.size(); ++node) {
    if (!takes_part(op(node).rank)) continue;
    ++all_;
    if (left_[node] == 0) arrive(node);
  }
}

std::size_t Ready::take(std::size_t which) {
  const std::size_t node = nodes_[which];
  nodes_[which] = nodes_.back(), steps_[which] = steps_.back();
  nodes_.pop_back(), steps_.pop_back();
  return node;
}

void Ready::end(std::size_t node) {
  ended_[node] = true, ++count_;
  if (std::holds_alternative<Signal>(op(node).body)) wake();
  for (std::size_t next : graph_.successors_of(node))
    if (--left_[next] == 0) arrive(next);
}

void Ready::wake() {
  const auto still = std::ranges::partition(parked_, [&](std::size_t node) { return !satisfied(node); });
  for (std::size_t node : still) make_ready(node);
  parked_.erase(still.begin(), parked_.end());
}

bool Ready::satisfied(std::size_t node) const {
  const auto* wait = std::get_if<Wait>(&op(node).body);
  return !wait || satisfied_(graph_.steps[node], *wait);
}

void Ready::make_ready(std::size_t node) {
  nodes_.push_back(node);
  steps_.push_back(graph_.steps[node]);
}

}  // namespace lockstep
