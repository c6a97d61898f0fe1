#include "oracle/diagnosis/hypotheses.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

struct Before {
  DType type;
  const Terms& now;
  Index which;  // the call before
  const Terms& then;

  // One shard with these operands in place of its own.
  Hypothesis operand(std::size_t shard, const std::string& what, const Matrix& a, const Matrix& b) const {
    return says(type, 4, fmt::format("{} left over from call {}", what, which),
                [&now = now, &a, &b, shard](const Element& e) {
                  return e.want - now.products[shard](e.row, e.col) + dot(a, e.row, b, e.col, now.shards[shard]);
                });
  }

  // All shards.
  Hypothesis whole_operand(const std::string& what, const Matrix& a, const Matrix& b) const {
    return says(type, 3, fmt::format("{} left over from call {}", what, which), [&now = now, &a, &b](const Element& e) {
      return e.want - now.product(e.row, e.col) + dot(a, e.row, b, e.col, {0, now.a.cols});
    });
  }

  // All that a shard adds, the rank's bias with it where there is one.
  Hypothesis contribution(std::size_t shard) const {
    const auto added = [shard](const Terms& terms, const Element& e) {
      return terms.products[shard](e.row, e.col) +
             (terms.bias_is_summed ? static_cast<double>(terms.bias(static_cast<Index>(shard), e.col)) : 0.0);
    };
    return says(
        type, 3, fmt::format("{} left over from call {}", now.names[shard], which),
        [added, &now = now, &then = then](const Element& e) { return e.want - added(now, e) + added(then, e); });
  }
};

}  // namespace

Hypotheses by_call(const Evidence& evidence, const Terms& now, Index which, const Terms& then) {
  Hypotheses all;
  if (now.a.rows != then.a.rows || now.b.rows != then.b.rows || now.shards != then.shards) return all;
  const Before before{evidence.type, now, which, then};
  if (now.shards.size() > 1) {
    all.push_back(before.whole_operand(now.a_name, then.a, now.b));
    all.push_back(before.whole_operand(now.b_name, now.a, then.b));
  }
  for (std::size_t s = 0; s < now.shards.size(); ++s) {
    const std::string of = now.shards.size() == 1 ? "" : " of " + now.names[s];
    all.push_back(before.contribution(s));
    all.push_back(before.operand(s, now.a_name + of, then.a, now.b));
    all.push_back(before.operand(s, now.b_name + of, now.a, then.b));
  }
  return all;
}

}  // namespace lockstep
