// One process that judges cases for another: numbers go to it through a socket, records come back. It leads a group of
// processes, and does not outlive the process that started it.
#pragma once

#include "oracle/campaign/crew.h"

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>

namespace lockstep {

class Worker {
 public:
  // Forks. It keeps none of the sockets of `others`.
  Worker(const JudgeNumber& judge, const std::vector<std::unique_ptr<Worker>>& others);
  ~Worker();  // ends it, and what it has begun
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  int socket() const { return socket_; }
  std::optional<Index> number() const { return number_; }  // that it is at
  std::chrono::steady_clock::time_point since() const { return since_; }
  const std::optional<Case>& begun() const { return begun_; }

  void give(Index number);
  // Whole lines that have come: records, or a throw (thrown.h). False where it has gone.
  bool hear(const std::function<void(const std::string&)>& line);
  void begins(const Record& record) { begun_ = record.a_case, since_ = std::chrono::steady_clock::now(); }
  void ends(bool failed) { number_.reset(), begun_.reset(), is_spent_ = failed; }
  // What failed in it may have harmed it: it should judge no other case.
  bool is_spent() const { return is_spent_; }

  void kill_it() const;
  // Waits for its end: how that was, in words.
  std::string ended();

 private:
  pid_t process_ = -1;
  int socket_ = -1;
  bool is_gone_ = false, is_spent_ = false;
  std::string heard_;
  std::optional<Index> number_;
  std::optional<Case> begun_;
  std::chrono::steady_clock::time_point since_{};
};

}  // namespace lockstep
