// A process of its own for what may end its process, or never end.
//
// A child does not outlive the process that started it, leads a group of processes, and writes what it prints to
// standard error: standard output is its parent's. To be used where no other thread runs.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace lockstep {

// How a process is told of whose answer is none: code that it ran may write to any file that is open.
inline constexpr char wrote_into_results[] = "its process wrote into the pipe of its results";

// Throws what errno says.
[[noreturn]] void system_trouble(const char* what);

// 0: this is the child.
pid_t fork_child();
// Ends the child, and what it has begun.
void kill_child(pid_t child);
// Waits for its end: "was ended by signal 11 (Segmentation fault)", "ended with exit code 3".
std::string wait_for_end(pid_t child);

// In the child, which ends where nobody is left who would hear it.
void send_all(int socket, const std::string& text);

struct Said {
  std::optional<std::string> text{};  // none: it did not live to say it
  std::string ended{};                // how its process ended then; of one that took too long "was killed after 2 s"
  bool is_late = false;
};

using Limit = std::optional<std::chrono::milliseconds>;

// A child that answers one question after another; where one has ended it, a new one answers the next. What answering
// throws comes out here, as the same kind of exception. No text may have a zero in it.
class Answering {
 public:
  explicit Answering(std::function<std::string(const std::string& question)> answer) : answer_(std::move(answer)) {}
  ~Answering() { end(); }
  Answering(const Answering&) = delete;
  Answering& operator=(const Answering&) = delete;

  Said ask(const std::string& question, const Limit& limit = {});
  // A new child for the next question, since this one may have come to harm.
  void end();

 private:
  void start();
  std::string wait();
  std::function<std::string(const std::string&)> answer_;
  pid_t child_ = 0;  // 0: none
  int socket_ = -1;
};

// What f returns, in a child.
Said said_by_child(const std::function<std::string()>& f, const Limit& limit = {});
// "" where it did not live to say it.
std::string told_by_child(const std::function<std::string()>& f);

}  // namespace lockstep
