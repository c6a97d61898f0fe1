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

// What f returns, in a child. What it throws comes out here, as the same kind of exception.
Said said_by_child(const std::function<std::string()>& f, std::optional<std::chrono::milliseconds> limit = {});
// "" where it did not live to say it.
std::string told_by_child(const std::function<std::string()>& f);

}  // namespace lockstep
