// Cases judged in processes of their own, so that whatever a case does to its process is a verdict on that case, and
// the campaign goes on:
//
//   crash   the process ended: by which signal, or with which exit code
//   hang    it took longer than the limit, and was killed
//
// What it wrote into the pipe of its results, if that is no result, is a crash too.
//
// One process judges case after case; where it ends, or a case in it fails, another takes its place. What it throws
// comes out here, as the same kind of exception. No worker outlives the process that started it, however that ends; nor
// does what it has begun itself, where it is killed for its time: every worker leads a group of processes.
//
// To be used where no other thread runs: workers are forked.
#pragma once

#include "oracle/campaign/crew.h"

#include <chrono>

namespace lockstep {

struct WorkerOptions {
  Index count = 1;
  std::chrono::milliseconds case_limit{600'000};
  std::function<Case(Index number)> case_of;  // where none had begun yet
  bool to_first_failure = false;              // what comes after a failure is not begun
};

// Judges these numbers, and tells of each as it begins and ends.
void run_in_workers(const std::vector<Index>& numbers, const WorkerOptions& options, const JudgeNumber& judge,
                    const Told& told);

}  // namespace lockstep
