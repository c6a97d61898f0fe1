#include "oracle/kernel/kernel_diagnosis.h"

#include "oracle/campaign/child.h"
#include "oracle/campaign/failure_record.h"
#include "oracle/diagnosis/shrink.h"
#include "oracle/diagnosis/where.h"
#include "oracle/judges/stopwatch.h"
#include "oracle/kernel/kernel_explanation.h"
#include "oracle/kernel/kernel_judge.h"
#include "oracle/kernel/kernel_problem.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace lockstep {
namespace {

using std::chrono::milliseconds;

constexpr double most_seconds = 20;

bool is_of_values(const Verdict& verdict) { return verdict.comparison.differing > 0; }

// What two failures have in common that are the same: of a memory the buffer, of an error the sentence, of a process
// how it ended.
std::string signature(const Verdict& v) {
  if (v.outcome == Outcome::hang) return "";
  if (v.judge == "memory") return v.finding.substr(0, v.finding.find(' '));
  if (v.judge == "kernel") return v.finding.substr(0, v.finding.find(" (error"));
  return v.judge == "process" ? v.finding : "";
}

bool is_same(const Verdict& a, const Verdict& b) {
  const auto &some = b.comparison.outputs, &all = a.comparison.outputs;
  return a.outcome == b.outcome && a.judge == b.judge && signature(a) == signature(b) && some.empty() == all.empty() &&
         std::ranges::includes(all, some);
}

class Diagnosis {
 public:
  Diagnosis(const KernelAbout& about, const CaseResult& found, milliseconds case_limit)
      : about_(about),
        found_(found),
        case_limit_(case_limit),
        limit_(std::min<milliseconds>(case_limit, std::chrono::seconds(about.memory == RunsOn::cuda ? 10 : 2))),
        judges_([&about](const std::string& line) { return judged(about, parse_case(line)); }) {}

  Failure of_smallest() {
    known_ = found_.verdict;  // of a hang that has taken its time
    if (known_.outcome != Outcome::hang) known_ = result_of(found_.a_case, case_limit_).value_or(known_);
    if (!known_.failed()) return as_seen(found_, "it failed once and then no more");
    const Case smallest = for_kernel(about_, shrink(found_.a_case, [&](const Case& candidate) {
                                       return fails_the_same(for_kernel(about_, candidate));
                                     }));
    const auto again = result_of(smallest, limit_);
    if (!again || !again->failed()) return as_seen(found_, "it failed once and then no more");
    const bool hangs = again->outcome == Outcome::hang && known_.outcome == Outcome::hang;
    const Verdict verdict = hangs ? known_ : *again;  // which had the whole time of a case
    return {found_.a_case, smallest, verdict, explained(smallest, verdict)};
  }

 private:
  // In a child: its verdict; "" where the kernel does not support it or it cannot be made.
  static std::string judged(const KernelAbout& about, const Case& a_case) try {
    if (!why_not_for_kernel(about, a_case).empty() || !kernel_supports(about, a_case)) return "";
    const Prepared prepared = prepare_for_kernel(a_case);
    return verdict_json(judge_kernel(prepared, run_kernel(about, prepared))).dump();
  } catch (const Refusal&) {
    return "";
  }

  std::optional<Verdict> result_of(const Case& a_case, milliseconds limit) {
    const Said said = judges_.ask(print(a_case), limit);
    if (!said.text)
      return Verdict{
          said.is_late ? Outcome::hang : Outcome::crash, "process", {}, "the process that judged it " + said.ended};
    if (said.text->empty()) return {};
    const nlohmann::json text = nlohmann::json::parse(*said.text, nullptr, false);
    if (!text.is_object()) return judges_.end(), Verdict{Outcome::crash, "process", {}, wrote_into_results};
    Verdict verdict = verdict_of(text);
    if (verdict.failed() && !is_of_values(verdict)) judges_.end();  // it may have come to harm
    return verdict;
  }

  bool fails_the_same(const Case& candidate) try {
    if (stopwatch_.seconds() > most_seconds) return false;
    validate(candidate);
    const auto verdict = result_of(candidate, limit_);
    return verdict && is_same(known_, *verdict);
  } catch (const Refusal&) {
    return false;
  }

  Explanation in_child(Explanation (*f)(const KernelAbout&, const Case&), const Case& a_case) {
    const Said said = said_by_child(
        [&] {
          return line_of(Failure{a_case, a_case, {}, f(about_, a_case)});
        },
        seconds_more_);
    const auto failure = said.text ? failure_on(*said.text) : std::nullopt;
    return failure ? failure->explanation : Explanation{.kind = "", .where = ""};
  }

  Explanation explained(const Case& smallest, const Verdict& verdict) {
    Explanation explanation{.kind = verdict.judge, .where = where(smallest, verdict.comparison)};
    explanation.sentence = verdict.finding;
    if (!is_of_values(verdict)) return explanation;
    Explanation of_faults = in_child(compare_with_faults, smallest), read = in_child(read_values, found_.a_case);
    if (!of_faults.kind.empty()) explanation.kind = of_faults.kind;
    explanation.faults = std::move(of_faults.faults);
    explanation.sentence = fmt::format("{}; wrong: {}", of_faults.sentence, explanation.where);
    explanation.readings = std::move(read.readings), explanation.patterns = std::move(read.patterns);
    return explanation;
  }

  const KernelAbout& about_;
  const CaseResult& found_;
  milliseconds case_limit_, limit_, seconds_more_{15'000};
  Answering judges_;
  Verdict known_;
  Stopwatch stopwatch_;
};

}  // namespace

Failure diagnose_kernel(const KernelAbout& about, const CaseResult& result, milliseconds case_limit) {
  return Diagnosis(about, result, case_limit).of_smallest();
}

}  // namespace lockstep
