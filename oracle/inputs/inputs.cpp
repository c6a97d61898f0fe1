#include "oracle/inputs/inputs.h"

#include "oracle/inputs/by_group.h"
#include "oracle/inputs/coded.h"
#include "oracle/inputs/planted.h"
#include "oracle/inputs/real.h"
#include "oracle/inputs/shards.h"

namespace lockstep {
namespace {

NamedTensors one_call(const Call& call, std::uint64_t seed) {
  switch (call.data) {
    case Data::rank_bits:
      return rank_bits(problem_of(call), seed);
    case Data::chunk_bits:
      return chunk_bits(problem_of(call), seed);
    case Data::address:
      return address(problem_of(call), seed);
    case Data::wild:
      return wild(problem_of(call), seed);
    default:
      return real_data(call, seed);
  }
}

std::vector<NamedTensors> inputs_of_group(const Case& a_case) {
  const Call& first = a_case.first();
  if (first.data == Data::planted) return planted(a_case);
  std::vector<NamedTensors> inputs;
  for (std::size_t which = 0; which < a_case.calls.size(); ++which)
    inputs.push_back(one_call(a_case.calls[which], mix(a_case.calls[which].seed, which)));
  inputs[0].merge(any_scales(first));
  if (first.accumulate)
    inputs[0]["main_grad"] = of_each_rank(problem_of(first), *first.accumulate, [&](Index rank) {
      return normal_matrix(problem_of(first).w_of(rank), Random(first.seed, 0x6D67u, rank));
    });
  return inputs;
}

}  // namespace

std::vector<NamedTensors> make_inputs(const Case& a_case) {
  return by_group(a_case, [](const Case& group, const std::vector<Index>&) { return inputs_of_group(group); });
}

}  // namespace lockstep
