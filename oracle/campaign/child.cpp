#include "oracle/campaign/child.h"

#include "oracle/campaign/stop.h"
#include "oracle/campaign/thrown.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr char whole = '\0';  // after all that one has to say

// Until `until`; false where nothing comes.
bool is_readable(int socket, const std::optional<Clock::time_point>& until) {
  while (true) {
    const auto left = until ? std::chrono::ceil<milliseconds>(*until - Clock::now()).count() : -1;
    if (until && left <= 0) return false;
    pollfd one{socket, POLLIN, 0};
    const int ready = poll(&one, 1, static_cast<int>(left));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) system_trouble("waiting for a child");
  }
}

// What came up to the mark, which is there only where all came before the other end was closed or the time was up.
std::string heard(int socket, const std::optional<Clock::time_point>& until, bool& is_late) {
  std::string text;
  char bytes[4096];
  while (!text.ends_with(whole)) {
    if (is_late = !is_readable(socket, until); is_late) break;
    const ssize_t n = recv(socket, bytes, sizeof bytes, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    text.append(bytes, static_cast<std::size_t>(n));
  }
  return text;
}

[[noreturn]] void answer_all(int socket, const std::function<std::string(const std::string&)>& answer) {
  bool is_late = false;
  for (std::string question; (question = heard(socket, {}, is_late)).ends_with(whole);) {
    question.pop_back();
    std::string text;
    try {
      text = answer(question);
    } catch (...) {
      text = line_of_throw();
    }
    send_all(socket, text + whole);
  }
  _exit(0);
}

}  // namespace

void system_trouble(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

pid_t fork_child() {
  std::fflush(nullptr);  // what is not written yet is written once, not by both
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) system_trouble("a process of its own");
  if (child > 0) {
    setpgid(child, child);
    return child;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  setpgid(0, 0);
  leave_signals_alone();
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return 0;
}

void kill_child(pid_t child) {
  kill(-child, SIGKILL);
  kill(child, SIGKILL);
}

std::string wait_for_end(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

void send_all(int socket, const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = ::send(socket, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(0);
    sent += static_cast<std::size_t>(n);
  }
}

void Answering::start() {
  int both[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) != 0) system_trouble("a socket for a child");
  child_ = fork_child();
  if (child_ == 0) close(both[0]), answer_all(both[1], answer_);
  close(both[1]);
  socket_ = both[0];
}

std::string Answering::wait() {
  close(socket_);
  return wait_for_end(std::exchange(child_, 0));
}

void Answering::end() {
  if (child_ == 0) return;
  kill_child(child_);
  wait();
}

Said Answering::ask(const std::string& question, const Limit& limit) {
  if (child_ == 0) start();
  const std::string asked = question + whole;
  // That it is gone is seen when it is heard.
  [[maybe_unused]] const ssize_t sent = ::send(socket_, asked.data(), asked.size(), MSG_NOSIGNAL);
  Said said;
  std::string text = heard(socket_, limit ? std::optional(Clock::now() + *limit) : std::nullopt, said.is_late);
  if (said.is_late) {
    end();
    said.ended = fmt::format("was killed after {} s", static_cast<double>(limit->count()) / 1000);
  } else if (!text.ends_with(whole)) {
    said.ended = wait();
  } else {
    text.pop_back();
    if (is_throw(text)) throw_again(text);
    said.text = std::move(text);
  }
  return said;
}

Said said_by_child(const std::function<std::string()>& f, const Limit& limit) {
  return Answering([&](const std::string&) { return f(); }).ask("", limit);
}

std::string told_by_child(const std::function<std::string()>& f) { return said_by_child(f).text.value_or(""); }

}  // namespace lockstep
