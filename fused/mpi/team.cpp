#include "fused/mpi/team.h"

#include "fused/mpi/case_watch.h"
#include "fused/mpi/team_state.h"
#include "reference/contract/environment.h"
#include "reference/contract/refusal.h"

#include <algorithm>

namespace lockstep {
namespace {

// In which execute_in_team is called: that whose work is done.
TeamState*& led() {
  static TeamState* team = nullptr;
  return team;
}

TeamState& the_led() {
  if (!led()) throw DeviceError("executor=mpi: this process leads no team of processes");
  return *led();
}

// LOCKSTEP_NODES=N: as if the processes of a team stood on N nodes, to try on one what happens between several.
Index least_nodes() { return number_in_environment("LOCKSTEP_NODES", 1, "a number of nodes"); }

// As the first process of the job has it, whatever the environment of the others.
Index least_nodes_of(const Communicator& job) {
  Index nodes = 0;
  std::string trouble;
  try {
    nodes = job.rank() == 0 ? least_nodes() : 0;
  } catch (const Refusal& refusal) {
    trouble = refusal.what();
  }
  trouble = broadcast(job, trouble, 0);
  if (!trouble.empty()) throw Refusal(trouble);
  broadcast(job, std::as_writable_bytes(std::span(&nodes, 1)));
  return nodes;
}

MPI_Comm on_one_node(const Communicator& team, Index least) {
  const Communicator real(split_by_node(team.get()));
  return split(real.get(), team.rank() * std::min(least, team.size()) / team.size());
}

// Of each process the first process of its node.
std::vector<Index> root_of_each(const Communicator& team, const Communicator& node) {
  Index root = team.rank();
  broadcast(node, std::as_writable_bytes(std::span(&root, 1)));
  return gather(team, root);
}

std::vector<Index> without_repeats(std::vector<Index> all) {
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::vector<Index> numbers_in(const std::vector<Index>& all, const std::vector<Index>& sorted) {
  std::vector<Index> numbers;
  for (Index one : all) numbers.push_back(std::ranges::lower_bound(sorted, one) - sorted.begin());
  return numbers;
}

MPI_Comm copy_of(MPI_Comm comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  expect(MPI_Comm_dup(comm, &copy), "MPI_Comm_dup");
  return copy;
}

}  // namespace

TeamState::TeamState(MPI_Comm whole_job, MPI_Comm team, Index least)
    : job(whole_job),
      all(team),
      node(on_one_node(all, least)),
      roots(without_repeats(root_of_each(all, node))),
      nodes(numbers_in(root_of_each(all, node), roots)),
      memory(all, node, roots) {}

std::string why_no_mpi() { return {}; }

MpiJob::MpiJob(std::chrono::seconds case_limit) {
  int given = 0;
  expect(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given), "MPI_Init_thread");
  expect(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  if (given < MPI_THREAD_FUNNELED)
    throw DeviceError(
        "this MPI is not for processes that have threads beside the one that calls it "
        "(MPI_THREAD_FUNNELED)");
  const Communicator world(copy_of(MPI_COMM_WORLD));
  rank = world.rank(), size = world.size();
  watch_ = std::make_shared<CaseWatch>(rank, size, case_limit);
}

MpiJob::~MpiJob() { MPI_Finalize(); }

Team team_of(const MpiJob& job, Index members) {
  CHECK(members >= 1, "a team of no processes");
  const Communicator world(copy_of(MPI_COMM_WORLD));
  const Index nodes = least_nodes_of(world);
  auto state = std::make_shared<TeamState>(copy_of(world.get()), split(world.get(), job.rank / members), nodes);
  return {state->all.rank(), state->all.size(), std::move(state)};
}

void in_team(Team& team, const std::function<void()>& work) {
  if (!team.leads()) return serve(*team.state);
  struct Leading {
    TeamState& team;
    explicit Leading(TeamState& of) : team(of) { led() = &team; }
    ~Leading() {
      led() = nullptr;
      try {
        dismiss(team);
      } catch (const DeviceError&) {  // MPI itself has failed, and mpirun ends the others
      }
    }
  } leading(*team.state);
  work();
}

std::vector<std::string> gather_in_job(const Team& team, const std::string& said) {
  const Communicator& job = team.state->job;
  const std::vector<Index> sizes = gather(job, std::ssize(said));
  std::vector<std::string> all;
  for (Index process = 0; process < job.size(); ++process)
    all.push_back(sizes[static_cast<std::size_t>(process)] == 0
                      ? ""
                      : broadcast(job, process == job.rank() ? said : "", process));
  return all;
}

NamedCase::NamedCase(std::string line) {
  the_led().case_line = std::move(line);
  case_begins(the_led().case_line);
}
NamedCase::~NamedCase() { case_ends(); }

std::string case_of(const Team& team) { return team.state->case_line; }

Walked execute_in_team(const Program& program, Memory& memory, const InTeam& how) {
  return execute_with(the_led(), program, memory, how);
}

}  // namespace lockstep
