// What each group of a case has by itself, and the same of all by the ranks of the world.
#pragma once

#include "reference/contract/case.h"

#include <map>
#include <string>

namespace lockstep {

// Of each rank something, by name.
template <typename T>
using OfRanks = std::map<std::string, std::vector<T>, std::less<>>;

// Of each call, of these ranks.
template <typename T>
std::vector<OfRanks<T>> of_ranks(const std::vector<OfRanks<T>>& world, const std::vector<Index>& ranks) {
  std::vector<OfRanks<T>> some(world.size());
  for (std::size_t call = 0; call < world.size(); ++call)
    for (const auto& [name, all] : world[call])
      for (Index rank : ranks)
        if (!all.empty()) some[call][name].push_back(all[static_cast<std::size_t>(rank)]);
  return some;
}

template <typename T>
void put(std::vector<OfRanks<T>>& world, Index size, const std::vector<OfRanks<T>>& some,
         const std::vector<Index>& ranks) {
  world.resize(some.size());
  for (std::size_t call = 0; call < some.size(); ++call)
    for (const auto& [name, of_group] : some[call]) {
      auto& all = world[call][name];
      if (!of_group.empty()) all.resize(static_cast<std::size_t>(size));
      for (std::size_t i = 0; i < of_group.size(); ++i) all[static_cast<std::size_t>(ranks[i])] = of_group[i];
    }
}

// f(case of a group, its ranks in the world), which has something of each rank of the group, of all groups.
template <typename F>
auto by_group(const Case& a_case, const F& f) {
  const RankLists groups = groups_of(a_case.first());
  if (!is_grouped(a_case.first())) return f(a_case, groups.front());
  decltype(f(a_case, groups.front())) world;
  for (std::size_t g = 0; g < groups.size(); ++g)
    put(world, a_case.first().ranks(), f(case_of_group(a_case, static_cast<Index>(g)), groups[g]), groups[g]);
  return world;
}

// The same where f takes what each rank is given.
template <typename T, typename F>
auto by_group(const Case& a_case, const std::vector<OfRanks<T>>& given, const F& f) {
  if (!is_grouped(a_case.first())) return f(a_case, given);
  return by_group(a_case,
                  [&](const Case& group, const std::vector<Index>& ranks) { return f(group, of_ranks(given, ranks)); });
}

}  // namespace lockstep
