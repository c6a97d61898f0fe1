#include "oracle/inputs/recorded_reduction.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace lockstep {
namespace {

struct Named {
  std::string_view name;
  RecordedReduction reduction;
  std::string_view words;
};

constexpr std::array<Named, 5> orders{{
    {"by_rank", plain_reduction, "in the order of the ranks"},
    {"own_first", {0, -1, true}, "the owner's own first, then downwards"},
    {"own_last", {1, 1, true}, "from the rank after the owner upwards, its own last"},
    {"reversed", {-1, -1}, "in the reversed order of the ranks"},
    {"pairwise", {.is_pairwise = true}, "in pairs of neighbours"},
}};
constexpr RecordedReduction travelling{1, 1, true, false, true, false};
constexpr std::string_view running_prefix = "running_";

RecordedReduction running(RecordedReduction reduction) {
  reduction.is_running = true;
  return reduction;
}

bool same_order(const RecordedReduction& a, const RecordedReduction& b) {
  return std::tie(a.start, a.direction, a.from_owner, a.is_pairwise) ==
         std::tie(b.start, b.direction, b.from_owner, b.is_pairwise);
}

std::string order_words(const RecordedReduction& r) {
  for (const Named& named : orders)
    if (same_order(named.reduction, r)) return std::string(named.words);
  return fmt::format("from rank {}{} {}", r.from_owner ? "owner + " : "", r.start,
                     r.direction > 0 ? "upwards" : "downwards");
}

float in_pairs(const RecordedReduction& r, DType output, std::vector<float> terms) {
  while (terms.size() > 1) {
    std::vector<float> sums;
    for (std::size_t i = 0; i + 1 < terms.size(); i += 2) {
      const float sum = terms[i] + terms[i + 1];
      sums.push_back(r.is_running ? round_to(output, sum) : sum);
    }
    if (terms.size() % 2 == 1) sums.push_back(terms.back());
    terms = std::move(sums);
  }
  return terms.front();
}

float one_by_one(const RecordedReduction& r, DType output, const std::vector<float>& terms) {
  float sum = r.rounds_products ? 0.0f + terms.front() : terms.front();
  for (std::size_t i = 1; i < terms.size(); ++i) {
    if (r.is_running) sum = round_to(output, sum);
    sum += terms[i];
  }
  return sum;
}

// Two with the same give the same bits whatever the data: the first addition commutes.
auto identity(const RecordedReduction& r, Index ranks) {
  std::vector<std::vector<Index>> sequences;
  for (Index owner = 0; owner < ranks; ++owner) {
    auto& sequence = sequences.emplace_back(ranks_in_order(r, ranks, owner));
    if (ranks > 1 && sequence[0] > sequence[1]) std::swap(sequence[0], sequence[1]);
  }
  const bool is_running = r.is_running && ranks > 2;  // of two, the last rounding is the only one
  return std::tuple(std::move(sequences), r.is_pairwise && ranks > 3, is_running, r.rounds_products || ranks < 2);
}

}  // namespace

std::vector<Index> ranks_in_order(const RecordedReduction& r, Index ranks, Index owner) {
  std::vector<Index> order;
  for (Index step = 0; step < ranks; ++step) {
    const Index rank = r.start + (r.from_owner ? owner : 0) + r.direction * step;
    order.push_back((rank % ranks + ranks) % ranks);
  }
  return order;
}

float reduced(const RecordedReduction& r, DType output, const std::vector<float>& in_order) {
  std::vector<float> terms = in_order;
  if (r.rounds_products)
    for (float& term : terms) term = round_to(output, term);
  return round_to(output, r.is_pairwise ? in_pairs(r, output, std::move(terms)) : one_by_one(r, output, terms));
}

std::optional<RecordedReduction> reduction_named(std::string_view name) {
  if (name == "travelling") return travelling;
  const bool runs = name.starts_with(running_prefix);
  const auto found = std::ranges::find(orders, runs ? name.substr(running_prefix.size()) : name, &Named::name);
  if (found == orders.end()) return std::nullopt;
  return runs ? running(found->reduction) : found->reduction;
}

std::string reduction_names() {
  std::vector<std::string> names;
  for (const Named& named : orders) names.emplace_back(named.name);
  names.emplace_back("travelling");
  for (const Named& named : orders) names.push_back(fmt::format("{}{}", running_prefix, named.name));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<RecordedReduction> known_reductions(Index ranks) {
  std::vector<RecordedReduction> all;
  for (const Named& named : orders) all.push_back(named.reduction);
  for (const Named& named : orders) all.push_back(running(named.reduction));
  all.push_back(travelling);
  for (Index start = 0; start < ranks; ++start)
    for (const bool from_owner : {false, true})
      for (const Index direction : {1, -1}) {
        all.push_back({start, direction, from_owner});
        all.push_back(running(all.back()));
      }
  std::set<decltype(identity(plain_reduction, ranks))> seen;
  std::erase_if(all, [&](const RecordedReduction& r) { return !seen.insert(identity(r, ranks)).second; });
  return all;
}

std::string describe(const RecordedReduction& r, DType output) {
  const auto type = name(output);
  const std::string_view rounded = r.is_running ? " after every addition" : "";
  if (!r.rounds_products)
    return fmt::format("products added to a sum that travels, {}, rounded to {}{}", order_words(r), type, rounded);
  return fmt::format("partials rounded to {}, summed in float {}, rounded to {}{}", type, order_words(r), type,
                     rounded);
}

}  // namespace lockstep
