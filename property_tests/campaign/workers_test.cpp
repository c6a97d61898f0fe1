// Whatever a case does to the process that judges it is a verdict on that case, and on no other.
#include "oracle/campaign/workers.h"

#include "oracle/campaign/child.h"

#include "reference/contract/device_error.h"
#include "reference/contract/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <numeric>
#include <thread>

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

Case case_of(Index number) { return parse_case("op=gemm_rs seed=" + std::to_string(number)); }

// What judging the case of a number does before it agrees.
void misbehave(Index number) {
  if (number == 3) std::raise(SIGSEGV);
  if (number == 5) _exit(7);
  if (number == 7) std::this_thread::sleep_for(1h);
  if (number == 9) std::raise(SIGKILL);
  if (number == 11) std::abort();
  if (number == 13 && fork() == 0) std::this_thread::sleep_for(1h);  // a child that keeps the socket open
  if (number == 13) _exit(0);
}

CaseResult judged(Index number, const Told& told) {
  told({number, case_of(number), {}});
  misbehave(number);
  return {case_of(number), {Outcome::agree, "exact", {}, ""}, "", 0};
}

std::vector<Index> up_to(Index n) {
  std::vector<Index> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

std::map<Index, CaseResult> results(Index n, const WorkerOptions& options, const JudgeNumber& judge) {
  std::map<Index, CaseResult> all;
  run_in_workers(up_to(n), options, judge, [&](const Record& record) {
    EXPECT_EQ(record.a_case, case_of(record.number));
    const bool is_new = !record.result || all.emplace(record.number, *record.result).second;
    EXPECT_TRUE(is_new) << record.number;
  });
  return all;
}

TEST(Workers, MakeAVerdictOfWhateverEndsThem) {
  for (Index count : {1, 2, 5}) {
    const auto all = results(20, {count, 400ms, case_of}, judged);
    ASSERT_EQ(all.size(), 20);
    const std::map<Index, std::string> ended{
        {3, "signal 11"}, {5, "exit code 7"}, {7, "longer than 0.4 s"}, {9, "signal 9"}, {11, "signal 6"}};
    for (const auto& [number, result] : all) {
      const auto found = ended.find(number);
      if (number == 13) continue;  // exit code 0, or its time was up: its child held the socket
      const Outcome wanted = found == ended.end() ? Outcome::agree : number == 7 ? Outcome::hang : Outcome::crash;
      EXPECT_EQ(result.verdict.outcome, wanted) << number;
      EXPECT_THAT(result.verdict.finding, HasSubstr(found == ended.end() ? "" : found->second));
    }
    EXPECT_TRUE(all.at(13).verdict.failed());
  }
}

// Cases 4 and 9 fail.
CaseResult told_by_process(Index number, const Told& told) {
  told({number, case_of(number), {}});
  const Outcome outcome = number == 4 || number == 9 ? Outcome::disagree : Outcome::agree;
  return {case_of(number), {outcome, "exact", {}, std::to_string(getpid())}, "", 0};
}

// What failed may have harmed its process: the next case has another.
TEST(Workers, JudgeNoOtherCaseAfterAFailure) {
  std::map<Index, std::string> process;
  for (const auto& [number, result] : results(12, {1, 1h, case_of}, told_by_process))
    process[number] = result.verdict.finding;
  EXPECT_EQ(process[0], process[4]);
  EXPECT_NE(process[4], process[5]);
  EXPECT_EQ(process[5], process[9]);
  EXPECT_NE(process[9], process[10]);
}

TEST(Workers, EndWithTheFirstFailureWhereAsked) {
  EXPECT_EQ(results(12, {1, 1h, case_of, true}, told_by_process).size(), 5);
  const auto of_three = results(12, {3, 1h, case_of, true}, told_by_process);
  for (Index number = 0; number <= 4; ++number) EXPECT_TRUE(of_three.contains(number)) << number;
  EXPECT_LT(of_three.size(), 12);
  const auto crashed = results(20, {1, 400ms, case_of, true}, judged);
  EXPECT_EQ(crashed.size(), 4);
  EXPECT_EQ(crashed.at(3).verdict.outcome, Outcome::crash);
}

TEST(Workers, ThrowWhatACaseThrows) {
  const auto thrown = [](const auto& exception) {
    return [=](Index number, const Told& told) -> CaseResult {
      if (number == 2) throw exception;
      return judged(number, told);
    };
  };
  EXPECT_THROW(results(4, {2, 1s, case_of}, thrown(Refusal("no"))), Refusal);
  EXPECT_THROW(results(4, {2, 1s, case_of}, thrown(DeviceError("no"))), DeviceError);
  EXPECT_THROW(results(4, {2, 1s, case_of}, thrown(std::bad_alloc())), std::bad_alloc);
  EXPECT_THROW(results(4, {2, 1s, case_of}, thrown(std::logic_error("no"))), std::runtime_error);
}

bool lives(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  return std::getline(status, text) && text[text.rfind(')') + 2] != 'Z';
}

// A supervisor that is killed takes its workers along.
TEST(Workers, DoNotOutliveWhoStartedThem) {
  int both[2];
  ASSERT_EQ(pipe(both), 0);
  const pid_t supervisor = fork();
  if (supervisor == 0) {
    run_in_workers(
        up_to(2), {2, 1h, case_of},
        [&](Index number, const Told& told) {
          const pid_t own = getpid();
          if (write(both[1], &own, sizeof own) != sizeof own) _exit(1);
          std::this_thread::sleep_for(1h);
          return judged(number, told);
        },
        [](const Record&) {});
    _exit(0);
  }
  pid_t workers[2];
  for (pid_t& worker : workers) ASSERT_EQ(read(both[0], &worker, sizeof worker), static_cast<ssize_t>(sizeof worker));
  kill(supervisor, SIGKILL);
  waitpid(supervisor, nullptr, 0);
  for (int tries = 0; tries < 100 && (lives(workers[0]) || lives(workers[1])); ++tries)
    std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(lives(workers[0]));
  EXPECT_FALSE(lives(workers[1]));
  close(both[0]), close(both[1]);
}

TEST(Workers, TellWhatAChildSays) {
  EXPECT_EQ(told_by_child([] { return std::string("a sentence"); }), "a sentence");
  EXPECT_EQ(told_by_child([]() -> std::string { _exit(3); }), "");
}

}  // namespace
}  // namespace lockstep
