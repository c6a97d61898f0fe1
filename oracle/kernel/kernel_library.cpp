#include "oracle/kernel/kernel_library.h"

#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace lockstep {
namespace {

using Table = const lockstep_kernel* (*)();

Table table_of(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) refuse("--kernel {}: it cannot be loaded: {}", in_quotes(path), dlerror());
  void* symbol = dlsym(library, "lockstep_kernel_table");
  if (!symbol)
    refuse("--kernel {}: it has no function lockstep_kernel_table, which oracle/kernel/lockstep_kernel.h asks for",
           in_quotes(path));
  return reinterpret_cast<Table>(symbol);
}

// Empty where all is well.
std::string what_is_wrong(const lockstep_kernel& t) {
  if (!t.name || !*t.name) return "it has no name";
  if (t.memory != LOCKSTEP_HOST && t.memory != LOCKSTEP_CUDA)
    return fmt::format("memory is {}: allowed are {} (host) and {} (CUDA)", t.memory, int{LOCKSTEP_HOST},
                       int{LOCKSTEP_CUDA});
  constexpr std::uint32_t known = (2u << LOCKSTEP_COLUMN_LINEAR) - 1;
  if (t.ops == 0 || (t.ops & ~known)) return fmt::format("ops is {:#x}: allowed are bits of {:#x}", t.ops, known);
  if (!t.init || !t.run || !t.end) return "init, run or end is NULL";
  if (t.min_ranks < 0 || t.max_ranks < 0 || (t.max_ranks > 0 && t.max_ranks < t.min_ranks))
    return fmt::format("ranks from {} to {}", t.min_ranks, t.max_ranks);
  constexpr std::int64_t most = 1 << 20;
  for (std::int64_t multiple : {t.tokens_multiple, t.in_multiple, t.out_multiple})
    if (multiple < 0 || multiple > most) return fmt::format("a size is to be a multiple of {}", multiple);
  const bool is_power_of_two = t.row_alignment >= 0 && (t.row_alignment & (t.row_alignment - 1)) == 0;
  if (!is_power_of_two || t.row_alignment > 256)
    return fmt::format("row_alignment is {}: allowed are powers of two up to 256", t.row_alignment);
  return "";
}

lockstep_kernel checked(const std::string& path) {
  const lockstep_kernel* given = table_of(path)();
  if (!given) refuse("--kernel {}: lockstep_kernel_table gives NULL", in_quotes(path));
  if (given->abi != LOCKSTEP_KERNEL_ABI)
    refuse("--kernel {}: it is of version {} of the interface, and this Lockstep takes version {}", in_quotes(path),
           given->abi, LOCKSTEP_KERNEL_ABI);
  if (given->size < sizeof(lockstep_kernel))
    refuse("--kernel {}: its table has {} bytes, and version {} has {}", in_quotes(path), given->size,
           LOCKSTEP_KERNEL_ABI, sizeof(lockstep_kernel));
  lockstep_kernel table;
  std::memcpy(&table, given, sizeof table);
  if (const std::string wrong = what_is_wrong(table); !wrong.empty())
    refuse("--kernel {}: its table is wrong: {}", in_quotes(path), wrong);
  return table;
}

}  // namespace

const lockstep_kernel& load_kernel(const std::string& path) {
  static std::map<std::string, lockstep_kernel> loaded;
  const auto found = loaded.find(path);
  return found != loaded.end() ? found->second : loaded.emplace(path, checked(path)).first->second;
}

}  // namespace lockstep
