// Processes that execute programs together, through MPI.
//
// A job is all processes that mpirun started; it is dealt into teams of neighbours. The first process of a team leads
// it: it draws, prepares and judges cases as it would alone. The others serve: whenever the leader executes a program,
// they execute it with it (fused/mpi/execute.h), for as many ranks of the program as there are: rank r lives in process
// r mod n of a team of n. So the same seed covers the same cases whatever n; a process without a rank only joins in.
//
// MPI is called from one thread only. What MPI would not do, and that there is none: a DeviceError with a sentence.
//
// This header needs no MPI; without it the executable is linked with absent/, which says so.
#pragma once

#include "fused/host/memory.h"
#include "fused/host/walk.h"
#include "reference/contract/arithmetic.h"
#include "reference/contract/device_error.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockstep {

// Why there is no MPI in this executable; empty where there is.
std::string why_no_mpi();

class CaseWatch;

// MPI from its start to its end: one in a process, in which it lives as long as MPI is used. As long as it lives a
// process that is told to end, or whose case takes longer than the limit (0: there is none), says at which case it was
// and ends (fused/mpi/case_watch.h).
class MpiJob {
 public:
  explicit MpiJob(std::chrono::seconds case_limit = {});
  ~MpiJob();
  MpiJob(const MpiJob&) = delete;
  MpiJob& operator=(const MpiJob&) = delete;

  Index rank = 0, size = 1;

 private:
  std::shared_ptr<CaseWatch> watch_;
};

struct TeamState;  // fused/mpi/team_state.h: the communicators and what is shared

struct Team {
  Index rank = 0, size = 1;  // this process among them
  std::shared_ptr<TeamState> state;

  bool leads() const { return rank == 0; }
};

// The team of this process where `members` neighbours are one, the last of fewer; called by every process of the job.
Team team_of(const MpiJob& job, Index members);

// Called by every process of the team: the leader does `work`, the others serve until it has ended. What the work
// throws, the leader throws.
void in_team(Team& team, const std::function<void()>& work);

// Called by every process of the job, outside its team's work: what each has to say, in all. A process that has nothing
// to say gives nothing.
std::vector<std::string> gather_in_job(const Team& team, const std::string& said);

// Within the leader's work, as long as it lives: what the team is at, for whoever must name it when a process ends
// early. The others know it from the next program on, and until they know another.
class NamedCase {
 public:
  explicit NamedCase(std::string line);
  ~NamedCase();
  NamedCase(const NamedCase&) = delete;
  NamedCase& operator=(const NamedCase&) = delete;
};
std::string case_of(const Team& team);

struct InTeam {
  Arithmetic arithmetic = Arithmetic::f32;
  std::uint64_t seed = 0;   // of which operation is next where several may start; where not 0, of delays too
  bool on_devices = false;  // the ranks' memory and work, by fused/cuda/processes
};

// Within the leader's work: executes the program in its team, on memory that the leader has prepared; the same bytes,
// poison and guard zones go to the processes and come back. An exception in any process comes out here, as one sentence
// with the process that had it.
Walked execute_in_team(const Program& program, Memory& memory, const InTeam& how);

}  // namespace lockstep
