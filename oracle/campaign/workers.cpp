#include "oracle/campaign/workers.h"

#include "oracle/campaign/stop.h"
#include "reference/contract/device_error.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <deque>
#include <memory>
#include <system_error>

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void system_trouble(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

void send_all(int socket, const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = ::send(socket, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(0);  // nobody is left who would hear it
    sent += static_cast<std::size_t>(n);
  }
}

// What a worker throws, on a line of its own: a letter for its kind, and the sentence.
std::string line_of_throw() {
  const auto line = [](char kind, std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return fmt::format("!{}{}\n", kind, text);
  };
  try {
    throw;
  } catch (const Refusal& refusal) {
    return line('r', refusal.what());
  } catch (const DeviceError& error) {
    return line('d', error.what());
  } catch (const std::bad_alloc&) {
    return line('m', "");
  } catch (const std::exception& error) {
    return line('e', error.what());
  }
}

[[noreturn]] void throw_again(const std::string& line) {
  const std::string text = line.substr(2);
  if (line[1] == 'r') throw Refusal(text);
  if (line[1] == 'd') throw DeviceError(text);
  if (line[1] == 'm') throw std::bad_alloc();
  throw std::runtime_error(text);
}

// In the worker: a number a line from the socket, records back.
[[noreturn]] void work(int socket, const JudgeNumber& judge) {
  FILE* numbers = fdopen(dup(socket), "r");
  const Told told = [socket](const Record& record) { send_all(socket, line_of(record)); };
  for (long long number = 0; numbers && std::fscanf(numbers, "%lld", &number) == 1;) try {
      const CaseResult result = judge(number, told);
      told({number, result.a_case, result});
    } catch (...) {
      send_all(socket, line_of_throw());
    }
  _exit(0);
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("the process that judged it was ended by signal {} ({})", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
  return fmt::format("the process that judged it ended with exit code {}", WEXITSTATUS(status));
}

class Worker {
 public:
  Worker(const JudgeNumber& judge, const std::vector<std::unique_ptr<Worker>>& others) {
    int both[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) != 0) system_trouble("a socket for a worker");
    const pid_t parent = getpid();
    process_ = fork();
    if (process_ < 0) system_trouble("a process for a worker");
    if (process_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(0);
      setpgid(0, 0);
      leave_signals_alone();
      for (const auto& other : others)
        if (other) close(other->socket_);
      close(both[0]);
      work(both[1], judge);
    }
    setpgid(process_, process_);
    close(both[1]);
    socket_ = both[0];
  }
  ~Worker() {
    kill(-process_, SIGKILL);
    kill(process_, SIGKILL);
    if (!is_gone_) waitpid(process_, nullptr, 0);
    close(socket_);
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  int socket() const { return socket_; }
  std::optional<Index> number() const { return number_; }
  Clock::time_point since() const { return since_; }
  const std::optional<Case>& begun() const { return begun_; }

  void give(Index number) {
    number_ = number, since_ = Clock::now(), begun_.reset();
    const std::string line = fmt::format("{}\n", number);
    // That it is gone is seen when it is heard.
    [[maybe_unused]] const ssize_t sent = ::send(socket_, line.data(), line.size(), MSG_NOSIGNAL);
  }

  // Whole lines that have come; false where it has gone.
  bool hear(const std::function<void(const std::string&)>& line) {
    char bytes[1 << 16];
    const ssize_t n = recv(socket_, bytes, sizeof bytes, 0);
    if (n < 0 && errno == EINTR) return true;
    if (n <= 0) return false;
    heard_.append(bytes, static_cast<std::size_t>(n));
    for (std::size_t end; (end = heard_.find('\n')) != heard_.npos; heard_.erase(0, end + 1))
      line(heard_.substr(0, end));
    return true;
  }

  void begins(const Record& record) { begun_ = record.a_case, since_ = Clock::now(); }
  void ends() { number_.reset(), begun_.reset(); }
  void end_it() const { kill(-process_, SIGKILL); }
  std::string ended() {
    int status = 0;
    waitpid(process_, &status, 0);
    is_gone_ = true;
    return how_it_ended(status);
  }

 private:
  pid_t process_ = -1;
  int socket_ = -1;
  bool is_gone_ = false;
  std::string heard_;
  std::optional<Index> number_;  // that it is at
  std::optional<Case> begun_;
  Clock::time_point since_{};
};

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
    if (worker->hear([&](const std::string& line) { take(*worker, line); })) return;
    const std::string how = worker->ended();
    if (worker->number()) say_lost(*worker, Outcome::crash, how);
    start(worker);
  }

  void take(Worker& worker, const std::string& line) {
    if (line.starts_with('!')) throw_again(line);
    const Record record = record_of(line);
    told_(record);
    if (!record.result) return worker.begins(record);
    worker.ends();
    give_next(worker);
  }

  void check_time(std::unique_ptr<Worker>& worker) {
    if (Clock::now() - worker->since() < options_.case_limit) return;
    worker->end_it();
    worker->ended();
    say_lost(*worker, Outcome::hang,
             fmt::format("it took longer than {} s, the limit of a case, and its process was killed",
                         static_cast<double>(options_.case_limit.count()) / 1000));
    start(worker);
  }

  void say_lost(Worker& worker, Outcome outcome, const std::string& finding) {
    const Index number = *worker.number();
    Case a_case = worker.begun() ? *worker.begun() : options_.case_of(number);
    worker.ends();
    const Verdict verdict{outcome, "process", {}, finding};
    told_({number, a_case, CaseResult{a_case, verdict, "", 0}});
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

std::string told_by_child(const std::function<std::string()>& f) {
  int both[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) != 0) system_trouble("a socket for a child");
  const pid_t child = fork();
  if (child < 0) system_trouble("a child");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    send_all(both[1], f());
    _exit(0);
  }
  close(both[1]);
  std::string told;
  char bytes[4096];
  for (ssize_t n; (n = recv(both[0], bytes, sizeof bytes, 0)) > 0;) told.append(bytes, static_cast<std::size_t>(n));
  close(both[0]);
  waitpid(child, nullptr, 0);
  return told;
}

}  // namespace lockstep
