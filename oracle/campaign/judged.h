// The results of a campaign as they come, and the journal that they go to.
#pragma once

#include "oracle/campaign/campaign.h"
#include "oracle/campaign/journal.h"
#include "reference/contract/partition.h"

#include <map>
#include <mutex>

namespace lockstep {

class Judged {
 public:
  explicit Judged(const CampaignOptions& options) : options_(options) {
    if (options.resumed) results_ = options.resumed->done;
  }

  void take(const Record& record) {
    if (options_.journal) options_.journal->add(record);
    if (!record.result) return;
    const std::lock_guard lock(one_at_a_time_);
    results_.insert_or_assign(record.number, *record.result);
  }
  const CaseResult* result(Index number) const {
    const auto found = results_.find(number);
    return found == results_.end() ? nullptr : &found->second;
  }
  std::vector<Index> left(const Range& numbers) const {
    std::vector<Index> all;
    for (Index number = numbers.begin; number < numbers.end; ++number)
      if (!result(number)) all.push_back(number);
    return all;
  }

 private:
  const CampaignOptions& options_;
  std::map<Index, CaseResult> results_;
  std::mutex one_at_a_time_;
};

// Whether a case that has begun again and again is taken for what ended a job of MPI, where no process is forked to see
// it.
inline bool is_crash(const CampaignOptions& options, Index number) {
  constexpr Index runs = 3;
  return !options.may_fork && options.resumed->unfinished.contains(number) && options.resumed->begun.at(number) >= runs;
}

}  // namespace lockstep
