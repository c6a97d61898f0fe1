#include "oracle/report/junit.h"

#include "oracle/report/escaped.h"
#include "oracle/report/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

std::string explained(const Campaign& campaign, const CaseResult& result) {
  const auto found = std::ranges::find(campaign.failures, result.a_case, &Failure::found);
  return found == campaign.failures.end() ? result.verdict.finding : print(*found);
}

std::string content(const Campaign& campaign, const CaseResult& result) {
  const Verdict& verdict = result.verdict;
  if (verdict.failed())
    return fmt::format("<failure type=\"{}\" message=\"{}: {}\">{}</failure>", name(verdict.outcome),
                       escaped(verdict.judge), escaped(verdict.finding), escaped(explained(campaign, result)));
  if (verdict.outcome == Outcome::blind || verdict.outcome == Outcome::empty)
    return fmt::format("<skipped message=\"{}: {}\"/>", name(verdict.outcome), escaped(verdict.finding));
  return "";
}

}  // namespace

std::string junit_of(const Campaign& campaign) {
  const auto failed = std::ranges::count_if(campaign.results, [](const CaseResult& r) { return r.verdict.failed(); });
  const Index skipped = campaign.count(Outcome::blind) + campaign.count(Outcome::empty);
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"lockstep run\" tests=\"{}\" "
      "failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3f}\">\n",
      campaign.results.size(), failed, skipped, campaign.seconds);
  for (const CaseResult& result : campaign.results)
    text += fmt::format("<testcase classname=\"lockstep.{}\" name=\"{}\" time=\"{:.6f}\">{}</testcase>\n",
                        escaped(key_named("op").get(result.a_case.first())), escaped(print(result.a_case)),
                        result.verdict.fused_seconds, content(campaign, result));
  return text + "</testsuite>\n</testsuites>\n";
}

}  // namespace lockstep
