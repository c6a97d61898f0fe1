// A process of a job that ends early says at which case it was, in one line on standard error:
//
//   it is told to end    (SIGTERM, which mpirun sends to the others when one dies): exit code 143
//   it crashes           (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT): it ends by that signal
//   a case takes longer  than the limit, or nothing comes after it from the process that leads for three times as long:
//                        exit code 124, from a thread that calls no MPI, so whatever MPI stands at
//
// A line longer than 4096 bytes is cut off.
#pragma once

#include "reference/contract/dtype.h"

#include <chrono>
#include <string_view>
#include <thread>

namespace lockstep {

class CaseWatch {
 public:
  // One in a process. A limit of 0 is none.
  CaseWatch(Index process, Index processes, std::chrono::seconds longest);
  ~CaseWatch();
  CaseWatch(const CaseWatch&) = delete;
  CaseWatch& operator=(const CaseWatch&) = delete;

 private:
  std::jthread clock_;
};

// From the one thread that works, whether or not there is a watch.
void case_begins(std::string_view line);
// The name stays until another begins: the part of this process is done, or all of it.
void case_waits();
void case_ends();

}  // namespace lockstep
