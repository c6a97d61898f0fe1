#include "fused/mpi/dealt.h"

namespace lockstep {

std::string why_no_mpi() { return "this executable was built without MPI"; }

MpiJob::MpiJob(std::chrono::seconds) { throw DeviceError(why_no_mpi()); }
MpiJob::~MpiJob() = default;

Team team_of(const MpiJob&, Index) { throw DeviceError(why_no_mpi()); }
void in_team(Team&, const std::function<void()>&) { throw DeviceError(why_no_mpi()); }
std::vector<std::string> gather_in_job(const Team&, const std::string&) { throw DeviceError(why_no_mpi()); }
NamedCase::NamedCase(std::string) { throw DeviceError(why_no_mpi()); }
NamedCase::~NamedCase() = default;
std::string case_of(const Team&) { throw DeviceError(why_no_mpi()); }

struct DealtState {};
Dealt::Dealt(const Team&) { throw DeviceError(why_no_mpi()); }
Dealt::~Dealt() = default;
std::optional<Index> Dealt::next() { throw DeviceError(why_no_mpi()); }
void Dealt::end() { throw DeviceError(why_no_mpi()); }

Walked execute_in_team(const Program&, Memory&, const InTeam&) { throw DeviceError(why_no_mpi()); }

}  // namespace lockstep
