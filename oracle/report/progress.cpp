#include "oracle/report/progress.h"

#include "oracle/report/standard_error.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace lockstep {
namespace {

void draw_bar(Index done, Index all) {
  constexpr Index width = 40;
  const auto filled = static_cast<std::size_t>(width * done / all);
  say(fmt::format("\r[{}{}] {}/{} cases{}", std::string(filled, '#'), std::string(width - filled, ' '), done, all,
                  done == all ? "\n" : ""));
}

}  // namespace

Progress progress_on_stderr(bool quiet) {
  if (quiet) return [](Index, Index) {};
  if (isatty(STDERR_FILENO)) return draw_bar;
  return [quarter = Index{0}](Index done, Index all) mutable {
    if (4 * done / all == quarter) return;
    quarter = 4 * done / all;
    say(fmt::format("{} of {} cases\n", done, all));
  };
}

}  // namespace lockstep
