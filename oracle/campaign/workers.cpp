#include "oracle/campaign/workers.h"

#include "oracle/campaign/child.h"
#include "oracle/campaign/stop.h"
#include "oracle/campaign/thrown.h"
#include "oracle/campaign/worker.h"

#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <deque>

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;

class Workers {
 public:
  Workers(const std::vector<Index>& numbers, const WorkerOptions& options, const JudgeNumber& judge, const Told& told)
      : left_(numbers.begin(), numbers.end()), options_(options), judge_(judge), told_(told) {
    workers_.resize(static_cast<std::size_t>(std::min<Index>(options.count, std::ssize(numbers))));
  }

  void run() {
    for (auto& worker : workers_) start(worker);
    while (std::ranges::any_of(workers_, [](const auto& w) { return w && w->number(); }) && !stop_asked_by()) look();
  }

 private:
  // The next number to a new process.
  void start(std::unique_ptr<Worker>& worker) {
    worker.reset();
    if (left_.empty()) return;
    worker = std::make_unique<Worker>(judge_, workers_);
    give_next(*worker);
  }

  void give_next(Worker& worker) {
    if (left_.empty()) return;
    worker.give(left_.front());
    left_.pop_front();
  }

  void look() {
    std::vector<pollfd> sockets;
    for (const auto& worker : workers_) sockets.push_back({worker ? worker->socket() : -1, POLLIN, 0});
    poll(sockets.data(), sockets.size(), 100);
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if (sockets[i].revents != 0) hear(workers_[i]);
      if (workers_[i] && workers_[i]->number()) check_time(workers_[i]);
    }
  }

  void hear(std::unique_ptr<Worker>& worker) {
    bool is_sound = true;
    const auto line = [&](const std::string& text) { is_sound = is_sound && take(*worker, text); };
    const bool goes_on = worker->hear(line) && is_sound;
    if (!goes_on) lose(*worker, is_sound);
    if (!goes_on || worker->is_spent()) start(worker);
  }

  void lose(Worker& worker, bool is_sound) {
    if (!is_sound) worker.kill_it();
    const std::string how = worker.ended();
    if (worker.number()) say_lost(worker, Outcome::crash, is_sound ? how : wrote_into_results);
  }

  // False where it is no record of the case that the worker is at: something else wrote it.
  bool take(Worker& worker, const std::string& line) {
    if (is_throw(line)) throw_again(line);
    const std::optional<Record> record = record_on(line);
    if (!record || record->number != worker.number()) return false;
    tell(*record);
    if (!record->result) return worker.begins(*record), true;
    worker.ends(record->result->verdict.failed());
    if (!worker.is_spent()) give_next(worker);
    return true;
  }

  static std::optional<Record> record_on(const std::string& line) try {
    return record_of(line);
  } catch (const Refusal&) {
    return {};
  }

  void check_time(std::unique_ptr<Worker>& worker) {
    if (Clock::now() - worker->since() < options_.case_limit) return;
    worker->kill_it();
    worker->ended();
    say_lost(*worker, Outcome::hang,
             fmt::format("it took longer than {} s, the limit of a case, and its process was killed",
                         static_cast<double>(options_.case_limit.count()) / 1000));
    start(worker);
  }

  void say_lost(Worker& worker, Outcome outcome, const std::string& finding) {
    const Index number = *worker.number();
    Case a_case = worker.begun() ? *worker.begun() : options_.case_of(number);
    const Verdict verdict{outcome, "process", {}, finding};
    tell({number, a_case, CaseResult{a_case, verdict, "", 0}});
  }

  void tell(const Record& record) {
    told_(record);
    const bool is_last = options_.to_first_failure && record.result && record.result->verdict.failed();
    if (is_last) std::erase_if(left_, [&](Index number) { return number > record.number; });
  }

  std::deque<Index> left_;
  const WorkerOptions& options_;
  const JudgeNumber& judge_;
  const Told& told_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace

void run_in_workers(const std::vector<Index>& numbers, const WorkerOptions& options, const JudgeNumber& judge,
                    const Told& told) {
  Workers(numbers, options, judge, told).run();
}

}  // namespace lockstep
