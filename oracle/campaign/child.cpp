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

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr char whole = '\0';  // after all that it had to say

[[noreturn]] void say(int socket, const std::function<std::string()>& f) {
  std::string text;
  try {
    text = f();
  } catch (...) {
    text = line_of_throw();
  }
  send_all(socket, text + whole);
  _exit(0);
}

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

// What came until the other end was closed, or its time was up.
std::string heard(int socket, const std::optional<Clock::time_point>& until, bool& is_late) {
  std::string text;
  char bytes[4096];
  while (true) {
    if (is_late = !is_readable(socket, until); is_late) return text;
    const ssize_t n = recv(socket, bytes, sizeof bytes, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(bytes, static_cast<std::size_t>(n));
    if (text.back() == whole) return text;
  }
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

Said said_by_child(const std::function<std::string()>& f, std::optional<milliseconds> limit) {
  int both[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) != 0) system_trouble("a socket for a child");
  const pid_t child = fork_child();
  if (child == 0) close(both[0]), say(both[1], f);
  close(both[1]);
  Said said;
  std::string text = heard(both[0], limit ? std::optional(Clock::now() + *limit) : std::nullopt, said.is_late);
  close(both[0]);
  const bool is_whole = !said.is_late && text.ends_with(whole);
  if (is_whole || said.is_late) kill_child(child);
  said.ended = wait_for_end(child);
  if (said.is_late) said.ended = fmt::format("was killed after {} s", static_cast<double>(limit->count()) / 1000);
  if (!is_whole) return said;
  text.pop_back();
  if (is_throw(text)) throw_again(text);
  said.text = std::move(text);
  return said;
}

std::string told_by_child(const std::function<std::string()>& f) { return said_by_child(f).text.value_or(""); }

}  // namespace lockstep
