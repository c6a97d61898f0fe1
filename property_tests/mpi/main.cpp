// GoogleTest in every process of an MPI job. All run the same tests in the same order; the first prints, the others
// only what fails in them; every exit code says whether all tests passed in all, and there were any.
#include "property_tests/mpi/job.h"

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>

namespace lockstep {
namespace {

class FailuresOnly : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (result.failed()) std::printf("process %d: %s\n", static_cast<int>(job().rank), result.summary());
  }
};

const MpiJob* the_job = nullptr;

}  // namespace

const MpiJob& job() { return *the_job; }

}  // namespace lockstep

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const lockstep::MpiJob job;
  lockstep::the_job = &job;
  if (job.rank != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new lockstep::FailuresOnly());
  }
  int failed = RUN_ALL_TESTS();
  if (testing::UnitTest::GetInstance()->test_to_run_count() == 0) failed = 1;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return failed;
}
