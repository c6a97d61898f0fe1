// A campaign: many cases, judged on all cores, up to the first that fails.
//
// With a journal (journal.h) it can be ended at any moment and goes on from there: what was judged is not judged again.
// What had begun and not ended may have ended the process: it is judged first, alone in a process of its own, so that
// it is a crash where it did. In a job of MPI, where no process is forked, what has begun in three runs without an end
// is one: a job may be killed for what no case can help.
#pragma once

#include "oracle/campaign/subject.h"

#include <chrono>
#include <functional>
#include <map>

namespace lockstep {

class Journal;
struct JournalContents;

inline constexpr Index max_random_cases = 1'000'000'000;

struct CampaignOptions {
  Subject subject = our_programs();
  std::vector<Case> cases;  // judged first, as they are
  Index random_cases = 0;   // then these
  std::uint64_t seed = 0;
  Fixed fixed;
  bool keep_going = false;                     // past the first failure
  Index threads = 0;                           // 0: as many as there are cores
  bool isolate = false;                        // that many processes in their place (workers.h)
  bool may_fork = true;                        // not in a job of MPI
  std::chrono::seconds case_limit{600};        // of a case in a process of its own
  std::chrono::seconds explanation_limit{90};  // of a failure's there
  Journal* journal = nullptr;
  double seconds_before = 0;                 // that it took so far
  const JournalContents* resumed = nullptr;  // what the journal had: judged already, or begun
};

struct Campaign {
  std::vector<CaseResult> results;
  std::vector<Failure> failures;
  Index random_cases = 0;  // of the results
  double seconds = 0;
  int stopped_by = 0;  // the signal that ended it early

  Index count(Outcome outcome) const;
  // Of the cases that bounds judged: how near a result came to its bound, and how many elements have none.
  double utilisation() const;
  Index unjudged() const;
  Index unsupported() const;  // cases that were drawn and not judged
};

// Called now and then with the number of cases done and of all.
using Progress = std::function<void(Index done, Index all)>;

// How one of several teams gets its part: places in the list of the cases that are left, from 0 on in rising order, each
// to one team.
struct Places {
  std::function<std::optional<Index>()> next;  // none: there are no more
  std::function<void()> end;                   // nothing is dealt from now on
};
// One case after the other, up to the first that fails in any team unless all are asked for. The parts of all teams
// together, with what was resumed, hold every result of the whole.
std::map<Index, CaseResult> run_part(const CampaignOptions& options, const Places& places, const Progress& progress);
Campaign run_campaign(const CampaignOptions& options, const Progress& progress);

}  // namespace lockstep
