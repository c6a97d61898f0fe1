#include "oracle/campaign/worker.h"

#include "oracle/campaign/child.h"
#include "oracle/campaign/thrown.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;

// In the worker: a number a line from the socket, records back.
[[noreturn]] void work(int socket, const JudgeNumber& judge) {
  FILE* numbers = fdopen(dup(socket), "r");
  const Told told = [socket](const Record& record) { send_all(socket, line_of(record)); };
  for (long long number = 0; numbers && std::fscanf(numbers, "%lld", &number) == 1;) try {
      const CaseResult result = judge(number, told);
      told({number, result.a_case, result});
    } catch (...) {
      send_all(socket, line_of_throw() + "\n");
    }
  _exit(0);
}

}  // namespace

Worker::Worker(const JudgeNumber& judge, const std::vector<std::unique_ptr<Worker>>& others) {
  int both[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) != 0) system_trouble("a socket for a worker");
  process_ = fork_child();
  if (process_ == 0) {
    for (const auto& other : others)
      if (other) close(other->socket_);
    close(both[0]);
    work(both[1], judge);
  }
  close(both[1]);
  socket_ = both[0];
}

Worker::~Worker() {
  kill_child(process_);
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

void Worker::kill_it() const { kill_child(process_); }

std::string Worker::ended() {
  is_gone_ = true;
  return "the process that judged it " + wait_for_end(process_);
}

}  // namespace lockstep
