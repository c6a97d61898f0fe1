#include "oracle/kernel/kernel_subject.h"

#include "oracle/campaign/child.h"
#include "oracle/kernel/kernel_diagnosis.h"
#include "oracle/kernel/kernel_draw.h"
#include "oracle/kernel/kernel_judge.h"
#include "oracle/kernel/kernel_problem.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

Subject kernel_subject(const KernelAbout& about, std::chrono::milliseconds case_limit) {
  Subject subject;
  subject.kernel = about.path;
  subject.drawn = [about](std::uint64_t seed, Index number, Index turn, Index attempt, const Fixed& fixed) {
    return draw_for_kernel(about, seed, number, turn, attempt, fixed);
  };
  subject.supports = [about](const Case& a_case) { return kernel_supports(about, a_case); };
  subject.judged = [about](const Case& a_case) { return run_kernel_case(about, a_case); };
  subject.most_understood = 2;
  subject.understood = [about, case_limit](const CaseResult& result) {
    return diagnose_kernel(about, result, case_limit);
  };
  return subject;
}

[[noreturn]] void refuse_case(const Case& a_case, const std::string& why) {
  refuse("--case {}: {}", in_quotes(print(a_case)), why);
}

bool is_any_supported(const CampaignOptions& options, const KernelAbout& about) {
  for (Index number = 0; number < 16; ++number)
    for (Index turn = 0; turn < 64; ++turn)
      if (const auto a_case = draw_for_kernel(about, options.seed, number, turn, 0, options.fixed))
        if (kernel_supports(about, *a_case)) return true;
  return false;
}

// "" where all is supported.
std::string what_is_unsupported(const CampaignOptions& options, const KernelAbout& about) {
  for (const Case& a_case : options.cases)
    if (!kernel_supports(about, a_case)) refuse_case(a_case, fmt::format("{} does not support it", about.name));
  if (options.random_cases > 0 && !is_any_supported(options, about))
    refuse(
        "--kernel {}: of the first thousand random cases with these flags none can be judged that {} supports; it "
        "implements {}",
        in_quotes(about.path), about.name, ops_in_words(about));
  return "";
}

}  // namespace

void judge_kernel_in(CampaignOptions& options, const KernelAbout& about) {
  constexpr Index most_contexts = 4;  // processes that share a device, where nobody says how many
  options.isolate = true;
  options.explanation_limit = options.case_limit + std::chrono::seconds(90);
  if (about.memory == RunsOn::cuda && options.threads == 0) options.threads = most_contexts;
  options.subject = kernel_subject(about, options.case_limit);
  for (Case& a_case : options.cases) {
    if (const std::string why = why_not_for_kernel(about, a_case); !why.empty()) refuse_case(a_case, why);
    a_case = for_kernel(about, a_case);
    validate(a_case);
  }
}

void expect_supported(const CampaignOptions& options, const KernelAbout& about) {
  const Said said = said_by_child([&] { return what_is_unsupported(options, about); }, options.case_limit);
  if (!said.text)
    refuse("--kernel {}: the process in which it was asked what it supports {}", in_quotes(about.path), said.ended);
  if (!said.text->empty())
    refuse("--kernel {}: while it was asked what it supports {}", in_quotes(about.path), wrote_into_results);
}

}  // namespace lockstep
