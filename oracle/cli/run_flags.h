// The words of `lockstep run`, and the campaign that they ask for.
#pragma once

#include "oracle/campaign/journal.h"
#include "oracle/campaign/models.h"

#include <map>
#include <optional>

namespace lockstep {

struct RunFlags {
  std::vector<std::string> cases, case_files;
  std::int64_t random_cases = -1;  // -1: 100, or none where cases are given
  std::string json, results;
  std::uint64_t seed = 0;
  std::optional<std::string> preset, overlap, layer, db;
  std::map<std::string_view, std::optional<std::string>> keys;  // that a flag of the same name sets in every case
  bool full = false, keep_going = false;
  std::int64_t threads = 0;
  double max_blind = 0.01;
  std::optional<std::string> kernel;  // a library whose kernel is judged (oracle/kernel)
  std::optional<std::string> journal, resume;
  std::string html, junit;
  std::optional<std::int64_t> team;  // processes of each
  bool isolate = false;
  std::optional<std::int64_t> case_timeout;  // seconds; of a process of its own 600, of a kernel or a job of MPI 60
};

// Refuses what cannot be judged, before anything runs.
CampaignOptions options_of(const RunFlags& flags, const std::vector<ModelCase>& models);

// Where a case asks for the device: goes on as the executable that has it, or refuses what the device cannot run.
void need_device_for(const CampaignOptions& options);

// Told from the words, so that what is refused is refused once, by the process that leads.
bool asks_for_mpi(const RunFlags& flags);

// What a journal keeps of the words, with the cases that they gave; and the words again.
JournalHeader header_of(const RunFlags& flags, const CampaignOptions& options);
void take(RunFlags& flags, const JournalHeader& header);

}  // namespace lockstep
