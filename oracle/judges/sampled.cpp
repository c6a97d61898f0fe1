#include "oracle/judges/sampled.h"

#include "oracle/inputs/random.h"

#include <algorithm>

namespace lockstep {
namespace {

void add_part(std::vector<Index>& all, const Range& part, Index count, Random& random) {
  if (part.empty()) return;
  all.push_back(part.begin);
  if (count > 1) all.push_back(part.end - 1);
  for (Index more = 2; more < count; ++more) all.push_back(random.between(part.begin, part.end - 1));
}

std::vector<Index> of_every_part(const Call& call, Index total, std::initializer_list<Index> parts, Random random) {
  std::vector<Index> all;
  for (Index count : parts)
    for (const Range& part : partition(total, count)) add_part(all, part, call.sample, random);
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

// Those within a shard, counted from its beginning.
std::vector<Index> within(const std::vector<Index>& all, const Range& shard) {
  std::vector<Index> local;
  for (Index i : all)
    if (shard.contains(i)) local.push_back(i - shard.begin);
  return local;
}

bool holds(const std::vector<Index>& all, Index i) { return std::ranges::binary_search(all, i); }

}  // namespace

Sampled sampled(const Call& call) {
  if (call.sample == 0) return {};
  return {of_every_part(call, call.tokens, {call.tp}, Random(call.seed, 0x5A11u)),
          of_every_part(call, call.in, {call.tp, call.splits}, Random(call.seed, 0x5A12u)),
          of_every_part(call, call.out, {call.tp, call.splits}, Random(call.seed, 0x5A13u))};
}

Sample sample_of_ranks(const Call& call) {
  const Sampled all = sampled(call);
  Sample ranks;
  if (all.is_all()) return ranks;
  const Problem p = problem_of(call);
  for (Index rank = 0; rank < p.tp; ++rank) {
    ranks.tokens.push_back(all.tokens);
    ranks.in.push_back(within(all.in, p.in_of(rank)));
    ranks.out.push_back(within(all.out, p.out_of(rank)));
  }
  return ranks;
}

bool is_sampled(const Sampled& sampled, std::string_view output, Index row, Index col) {
  if (sampled.is_all()) return true;
  if (output == "y") return holds(sampled.tokens, row) && holds(sampled.out, col);
  if (output == "dx") return holds(sampled.tokens, row) && holds(sampled.in, col);
  return output != "dw" || (holds(sampled.out, row) && holds(sampled.in, col));
}

}  // namespace lockstep
