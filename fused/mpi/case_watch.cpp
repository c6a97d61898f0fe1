#include "fused/mpi/case_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <string>

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// In which another process may end this case, and begin the next.
constexpr Index times_for_the_next = 3;
constexpr int told_to_end = 128 + SIGTERM, took_too_long = 124;

Clock::rep now() { return Clock::now().time_since_epoch().count(); }

// Of a size that a handler of signals can copy, and that a pipe takes whole.
struct Text {
  std::array<char, 4096> bytes{};
  std::size_t size = 0;

  void add(std::string_view more) {
    const std::size_t most = std::min(more.size(), bytes.size() - size);
    std::copy_n(more.data(), most, bytes.data() + size);
    size += most;
  }
};

Text process_text{};   // "lockstep: process 2 of 4"
Text case_texts[2]{};  // "the case 'op=..'"; the handler reads one while the other is written
std::atomic<Text*> case_text{&case_texts[0]};
std::atomic<Clock::rep> limit{0}, deadline{0};  // 0: none
std::atomic<bool> waits{false};                 // for what comes after the case
static_assert(std::atomic<Text*>::is_always_lock_free);

void say(std::string_view why, std::string_view then) {
  Text line = process_text;
  line.add(why), line.add({case_text.load()->bytes.data(), case_text.load()->size}), line.add(then);
  line.size = std::min(line.size, line.bytes.size() - 1);
  line.add("\n");
  [[maybe_unused]] const auto written = write(STDERR_FILENO, line.bytes.data(), line.size);
}

[[noreturn]] void end(std::string_view why, std::string_view then, int code) {
  say(why, then);
  _exit(code);
}

void end_by_signal(int) { end(" was told to end at ", "", told_to_end); }

constexpr std::array crashes{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
std::array<struct sigaction, crashes.size()> before{};  // MPI's, which print where it was

struct sigaction handled_by(void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  return action;
}

void handle(int signal, const struct sigaction& action, struct sigaction* old = nullptr) {
  sigaction(signal, &action, old);
}

void handle_crashes_as_before() {
  for (std::size_t i = 0; i < crashes.size(); ++i) handle(crashes[i], before[i]);
}

// Says where it was, and goes on as it would have without that.
void crash(int signal) {
  std::array<char, 40> why{" crashes by signal "};
  const auto length = std::string_view(why.data()).size();
  char* end = std::to_chars(why.data() + length, why.data() + why.size() - 4, signal).ptr;
  say({why.data(), std::size_t(std::copy_n(" at ", 4, end) - why.data())}, "");
  handle_crashes_as_before();
  raise(signal);
}

// A stack that has overflowed cannot be used.
void use_other_stack() {
  static std::array<char, 1 << 16> stack{};
  const stack_t other{stack.data(), 0, stack.size()};
  sigaltstack(&other, nullptr);
}

// Signals go to the thread that works.
class NoSignalsHere {
 public:
  NoSignalsHere() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~NoSignalsHere() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

void watch(const std::stop_token& stop, Index seconds) {
  const std::string too_long = fmt::format(" takes longer than {} s: ended", seconds);
  const std::string too_late = fmt::format(" for longer than {} s: ended", times_for_the_next * seconds);
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  while (!stopped.wait_for(lock, stop, 50ms, [&] { return stop.stop_requested(); })) {
    const auto last = deadline.load();
    if (last == 0 || now() <= last) continue;
    waits ? end(" waits after ", too_late, took_too_long) : end(": ", too_long, took_too_long);
  }
}

}  // namespace

CaseWatch::CaseWatch(Index process, Index processes, std::chrono::seconds longest) {
  process_text = {};
  process_text.add(fmt::format("lockstep: process {} of {}", process, processes));
  if (case_text.load()->size == 0) case_text.load()->add("no case");
  handle(SIGTERM, handled_by(end_by_signal, 0));
  use_other_stack();
  const struct sigaction said = handled_by(crash, SA_NODEFER | SA_ONSTACK);
  for (std::size_t i = 0; i < crashes.size(); ++i) handle(crashes[i], said, &before[i]);
  const NoSignalsHere none;
  limit = Clock::duration(longest).count();
  if (limit != 0) clock_ = std::jthread([longest](const std::stop_token& stop) { watch(stop, longest.count()); });
}

CaseWatch::~CaseWatch() {
  limit = deadline = 0;
  handle_crashes_as_before();
  handle(SIGTERM, handled_by(SIG_DFL, 0));
}

void case_begins(std::string_view line) {
  Text* next = case_text.load() == &case_texts[0] ? &case_texts[1] : &case_texts[0];
  *next = {};
  next->add("the case '"), next->add(line.substr(0, 3900)), next->add("'");
  case_text.store(next);
  waits = false;
  deadline = limit == 0 ? 0 : now() + limit;
}

void case_waits() {
  waits = true;
  deadline = limit == 0 ? 0 : now() + times_for_the_next * limit;
}

void case_ends() { deadline = 0; }

}  // namespace lockstep
