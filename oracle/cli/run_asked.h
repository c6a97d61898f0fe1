// One run of a campaign as `lockstep run` was asked for it: what is refused before, and what is printed and written
// after.
#pragma once

#include "oracle/cli/run_flags.h"

#include <memory>

namespace lockstep {

struct Asked {
  std::vector<ModelCase> models;
  CampaignOptions options;
};

// Refuses what cannot be done, before anything runs. `resumed`: what a journal has, which outlives it.
Asked asked_by(const RunFlags& flags, const JournalContents* resumed = nullptr);
// A journal that is new, that goes on, or none.
std::unique_ptr<Journal> journal_of(const RunFlags& flags, const CampaignOptions& options);

// Whether standard output is a file's.
bool is_quiet(const RunFlags& flags);

// The exit code.
int run_asked(const RunFlags& flags, const Asked& asked);

}  // namespace lockstep
