#include "oracle/diagnosis/changes.h"

#include "fused/plan/accesses.h"
#include "fused/plan/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace lockstep {
namespace {

std::string buffers_of(const Plan& plan, const PlanOp& op) {
  std::string text;
  const Accesses accesses = accesses_of(op);
  for (const auto* regions : {&accesses.reads, &accesses.writes})
    for (const Region& region : *regions) {
      if (region.buffer < 0 || region.buffer >= std::ssize(plan.buffers)) continue;
      const Buffer& buffer = plan.buffers[static_cast<std::size_t>(region.buffer)];
      const bool has_rank = region.rank >= 0 && region.rank < std::ssize(buffer.elements);
      text += fmt::format(" {} {}", static_cast<int>(buffer.dtype),
                          has_rank ? buffer.elements[static_cast<std::size_t>(region.rank)] : -1);
    }
  return text;
}

std::string counter_of(const Plan& plan, const PlanOp& op) {
  const auto text = [&](Index counter) {
    const Counter& of = plan.counters[static_cast<std::size_t>(counter)];
    return fmt::format(" {} {}", of.bits, of.wraps);
  };
  if (const auto* wait = std::get_if<Wait>(&op.body)) return text(wait->counter);
  if (const auto* signal = std::get_if<Signal>(&op.body)) return text(signal->counter);
  return "";
}

std::string whole(const Plan& plan, const PlanOp& op) {
  return title(plan, op) + " " + details(plan, op) + buffers_of(plan, op) + counter_of(plan, op);
}

// With what it waits for.
std::vector<std::string> keys_of(const Plan& plan) {
  std::vector<std::string> wholes, keys;
  for (const PlanOp& op : plan.ops) {
    wholes.push_back(whole(plan, op));
    std::vector<std::string> after;
    for (Index before : op.after) after.push_back(wholes[static_cast<std::size_t>(before)]);
    std::ranges::sort(after);
    std::string key = wholes.back();
    for (const std::string& before : after) key += " | " + before;
    keys.push_back(std::move(key));
  }
  return keys;
}

// Of those of `one` that the other has not, or not as often: the places.
std::vector<std::size_t> only_in(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  std::map<std::string_view, Index> left;
  for (const std::string& key : other) ++left[key];
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < one.size(); ++i)
    if (left[one[i]]-- <= 0) places.push_back(i);
  return places;
}

// Where the order alone differs.
std::vector<std::size_t> moved(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < one.size() && i < other.size(); ++i)
    if (one[i] != other[i]) places.push_back(i);
  return places;
}

void add(std::vector<std::string>& titles, Index call, const Plan& plan, std::size_t op) {
  std::string text = fmt::format("call {}, {}", call, title(plan, plan.ops[op]));
  if (std::ranges::find(titles, text) == titles.end()) titles.push_back(std::move(text));
}

}  // namespace

std::vector<std::string> changed_operations(const Program& correct, const Program& changed) {
  std::vector<std::string> titles;
  for (std::size_t call = 0; call < correct.calls.size(); ++call) {
    const Plan &was = correct.calls[call], &is = changed.calls[call];
    if (was == is) continue;
    const auto keys = keys_of(was), changed_keys = keys_of(is);
    std::vector<std::pair<std::size_t, const Plan*>> places;
    for (std::size_t i : only_in(keys, changed_keys)) places.emplace_back(i, &was);
    for (std::size_t i : only_in(changed_keys, keys)) places.emplace_back(i, &is);
    if (places.empty())
      for (std::size_t i : moved(keys, changed_keys)) places.emplace_back(i, &was);
    std::ranges::stable_sort(places, {}, &std::pair<std::size_t, const Plan*>::first);
    for (const auto& [op, plan] : places) add(titles, static_cast<Index>(call), *plan, op);
  }
  return titles;
}

}  // namespace lockstep
