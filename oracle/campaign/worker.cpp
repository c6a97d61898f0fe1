#include "oracle/campaign/worker.h"

#include "oracle/campaign/stop.h"
#include "reference/contract/device_error.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
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

}  // namespace

Worker::Worker(const JudgeNumber& judge, const std::vector<std::unique_ptr<Worker>>& others) {
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

Worker::~Worker() {
  kill(-process_, SIGKILL);
  kill(process_, SIGKILL);
  if (!is_gone_) waitpid(process_, nullptr, 0);
  close(socket_);
}

void Worker::give(Index number) {
  number_ = number, since_ = Clock::now(), begun_.reset();
  const std::string line = fmt::format("{}\n", number);
  // That it is gone is seen when it is heard.
  [[maybe_unused]] const ssize_t sent = ::send(socket_, line.data(), line.size(), MSG_NOSIGNAL);
}

bool Worker::hear(const std::function<void(const std::string&)>& line) {
  char bytes[1 << 16];
  const ssize_t n = recv(socket_, bytes, sizeof bytes, 0);
  if (n < 0 && errno == EINTR) return true;
  if (n <= 0) return false;
  heard_.append(bytes, static_cast<std::size_t>(n));
  for (std::size_t end; (end = heard_.find('\n')) != heard_.npos; heard_.erase(0, end + 1)) line(heard_.substr(0, end));
  return true;
}

void Worker::kill_it() const { kill(-process_, SIGKILL); }

std::string Worker::ended() {
  int status = 0;
  waitpid(process_, &status, 0);
  is_gone_ = true;
  return how_it_ended(status);
}

bool is_throw(const std::string& line) { return line.starts_with('!'); }

void throw_again(const std::string& line) {
  const std::string text = line.substr(2);
  if (line[1] == 'r') throw Refusal(text);
  if (line[1] == 'd') throw DeviceError(text);
  if (line[1] == 'm') throw std::bad_alloc();
  throw std::runtime_error(text);
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
