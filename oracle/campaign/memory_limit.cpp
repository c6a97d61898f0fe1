#include "oracle/campaign/memory_limit.h"

#include "reference/contract/refusal.h"

#include <algorithm>
#include <fstream>
#include <limits>

namespace lockstep {
namespace {

constexpr double most = 0x1p62;

double bytes_of_call(const Call& call) {
  const auto tokens = static_cast<double>(call.tokens), in = static_cast<double>(call.in),
             out = static_cast<double>(call.out);
  const double operands = in * (tokens + out), partials = static_cast<double>(call.tp) * tokens * out,
               output = tokens * out;
  const auto coded = static_cast<double>(bytes_of(call.dtype)), wire = static_cast<double>(bytes_of(call.wire));
  // Operands: codes twice (ours and the program's), floats twice (plain and transposed). Partials: floats of two
  // operations, codes, symbols. Output: codes three times, symbols twice.
  return operands * (2 * coded + 8) + partials * (8 + wire + 16) + output * (3 * coded + 32);
}

double operations(const Case& a_case) {
  double all = 0;
  for (const Call& call : a_case.calls)
    all += static_cast<double>(call.tp) * static_cast<double>(call.tp) * static_cast<double>(call.splits + 1);
  return all;
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
  constexpr double most_operations = 4e6;
  if (operations(a_case) > most_operations)
    refuse("this case plans about {:.0f} operations, at most {:.0f} are kept: take fewer calls, splits or ranks",
           operations(a_case), most_operations);
  if (const Index needed = bytes_needed(a_case), available = bytes_available(); needed > available)
    refuse("this case needs about {:.1f} GiB of memory and {:.1f} GiB are available: take fewer tokens or features",
           static_cast<double>(needed) / 0x1p30, static_cast<double>(available) / 0x1p30);
}

}  // namespace lockstep
