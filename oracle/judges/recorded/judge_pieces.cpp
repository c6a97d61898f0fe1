#include "oracle/judges/recorded/judge_pieces.h"

#include "oracle/campaign/parallel.h"
#include "oracle/judges/recorded/declared_gemm.h"
#include "oracle/judges/recorded/declared_layer.h"
#include "oracle/judges/recorded/exact.h"
#include "oracle/judges/recorded/judge_bound.h"
#include "oracle/judges/recorded/judge_freivalds.h"
#include "oracle/judges/recorded/known_orders.h"

#include <fmt/format.h>

#include <atomic>
#include <thread>

namespace lockstep {
namespace {

template <typename Recorded, typename Judge>
RecordedVerdict add_up(const Pieces<Recorded>& pieces, const Judge& judge) {
  std::vector<RecordedVerdict> all(static_cast<std::size_t>(pieces.count));
  parallel_for(pieces.count, pieces_at_a_time(),
               [&](Index n) { all[static_cast<std::size_t>(n)] = judge(pieces.load(n)); });
  RecordedVerdict sum = all.front();
  for (std::size_t n = 1; n < all.size(); ++n) sum.add(all[n]);
  return sum;
}

template <typename Recorded>
RecordedVerdict by_declared(const Pieces<Recorded>& pieces) {
  return add_up(pieces, [](const Recorded& piece) { return judge_declared(piece); });
}

template <typename Recorded>
RecordedVerdict by_bound(const Pieces<Recorded>& pieces) {
  RecordedVerdict verdict = add_up(pieces, [](const Recorded& piece) { return judge_bound(piece); });
  conclude_bound(verdict);
  return verdict;
}

template <typename Recorded>
bool are_exact(const Pieces<Recorded>& pieces) {
  std::atomic<bool> all = true;
  parallel_for(pieces.count, pieces_at_a_time(), [&](Index n) {
    if (all && !is_exact(pieces.load(n))) all = false;
  });
  return all;
}

template <typename Recorded>
KnownOrders orders_of(const Pieces<Recorded>& pieces) {
  const Recorded first = pieces.load(0);
  KnownOrders orders = those_that_give(first, known_orders(first));
  for (Index n = 1; n < pieces.count && !orders.empty(); ++n) orders = those_that_give(pieces.load(n), orders);
  return orders;
}

template <typename Recorded>
RecordedVerdict by_what_is_known(const Pieces<Recorded>& pieces) {
  RecordedVerdict declared = by_declared(pieces);
  if (are_exact(pieces)) {
    declared.judge = "exact";
    declared.model = "exact data: every order of its sums gives these bits";
    return declared;
  }
  if (const KnownOrders orders = orders_of(pieces); !orders.empty()) {
    declared.differing = 0;
    declared.first.clear();
    declared.model = "found among the orders known: " + describe(pieces.load(0), orders.front());
    if (orders.size() > 1) declared.model += fmt::format("; {} more give the same bits", orders.size() - 1);
    return declared;
  }
  RecordedVerdict verdict = by_bound(pieces);
  verdict.model = fmt::format("no known order gives these bits; in the plainest {} of {} differ; {}",
                              declared.differing, declared.compared, verdict.model);
  return verdict;
}

template <typename Recorded>
Pieces<Recorded> one_piece(const Recorded& recorded) {
  return {1, [&](Index) { return recorded; }};
}

}  // namespace

Index pieces_at_a_time() { return std::max<Index>(1, std::min<Index>(std::thread::hardware_concurrency(), 16)); }

RecordedVerdict judge_declared(const Pieces<RecordedGemm>& pieces) { return by_declared(pieces); }
RecordedVerdict judge_declared(const Pieces<RecordedLayer>& pieces) { return by_declared(pieces); }
RecordedVerdict judge_bound(const Pieces<RecordedGemm>& pieces) { return by_bound(pieces); }
RecordedVerdict judge_bound(const Pieces<RecordedLayer>& pieces) { return by_bound(pieces); }
RecordedVerdict judge_freivalds(const Pieces<RecordedGemm>& pieces) {
  return add_up(pieces, [](const RecordedGemm& piece) { return judge_freivalds(piece); });
}
RecordedVerdict judge_undeclared(const Pieces<RecordedGemm>& pieces) { return by_what_is_known(pieces); }
RecordedVerdict judge_undeclared(const Pieces<RecordedLayer>& pieces) { return by_what_is_known(pieces); }
RecordedVerdict judge_undeclared(const RecordedGemm& recorded) { return by_what_is_known(one_piece(recorded)); }
RecordedVerdict judge_undeclared(const RecordedLayer& recorded) { return by_what_is_known(one_piece(recorded)); }

}  // namespace lockstep
