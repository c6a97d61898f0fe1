#include "oracle/campaign/memory_limit.h"

#include "reference/contract/refusal.h"

#include <algorithm>
#include <fstream>
#include <limits>

namespace lockstep {
namespace {

constexpr double most = 0x1p62;

double groups(const Call& call) { return static_cast<double>(call.ranks() / call.tp); }

// Operations of a plan, at the most: a pipeline has a wait for every split, rank and peer, a ring a few for every rank
// and step, and each reduction names a region a rank.
double operations(const Call& call) {
  const auto tp = static_cast<double>(call.tp), splits = static_cast<double>(call.splits);
  const double pipeline = tp * tp * (splits + 1), ring = 8 * tp * tp;
  return groups(call) * (ring + pipeline + (call.is_backward() ? 2 * ring : 0));
}

double operations(const Case& a_case) {
  double all = 0;
  for (const Call& call : a_case.calls) all += operations(call);
  return all;
}

double bytes_of_call(const Call& call) {
  // An element that every judge holds: codes, floats and symbols (16 bytes) of reference and fused.
  constexpr double an_element = 56, an_operation = 4000, a_row = 256;
  const auto tokens = static_cast<double>(call.tokens), in = static_cast<double>(call.in),
             out = static_cast<double>(call.out), tp = static_cast<double>(call.tp);
  const double once = tokens * in + in * out + tokens * out;
  const double passes = call.pass == Pass::both ? 2 : 1;
  const double on_every_rank = passes * tp * tokens * (call.is_row() ? out : in);
  return groups(call) * (an_element * (once + on_every_rank) + a_row * (tokens + in + tp * out)) +
         an_operation * operations(call);
}

Index number_in(const char* path) {
  std::ifstream file(path);
  Index value = 0;
  return file >> value ? value : std::numeric_limits<Index>::max();
}

Index machine_bytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;)
    if (Index kib = 0; word == "MemAvailable:" && file >> kib) return kib * 1024;
  return std::numeric_limits<Index>::max();
}

Index group_bytes() {
  const Index limit = number_in("/sys/fs/cgroup/memory.max"), used = number_in("/sys/fs/cgroup/memory.current");
  return limit == std::numeric_limits<Index>::max() ? limit : std::max<Index>(0, limit - used);
}

}  // namespace

Index bytes_needed(const Case& a_case) {
  double all = 0;
  for (const Call& call : a_case.calls) all += bytes_of_call(call);
  return static_cast<Index>(std::min(all, most));
}

Index bytes_available() { return std::min(machine_bytes(), group_bytes()); }

void refuse_if_too_large(const Case& a_case) {
  constexpr double most_operations = 4e5;
  if (operations(a_case) > most_operations)
    refuse("this case plans about {:.0f} operations, at most {:.0f} are kept: take fewer calls, splits or ranks",
           operations(a_case), most_operations);
  if (const Index needed = bytes_needed(a_case), available = bytes_available(); needed > available)
    refuse("this case needs about {:.1f} GiB of memory and {:.1f} GiB are available: take fewer tokens or features",
           static_cast<double>(needed) / 0x1p30, static_cast<double>(available) / 0x1p30);
}

}  // namespace lockstep
