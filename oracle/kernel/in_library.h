// What code of a library may have left in its process, taken back when it returns: the modes of floating-point
// arithmetic. A child that it forked and that comes back ends here, since it would go on with our work.
#pragma once

#include <unistd.h>

#include <cfenv>

namespace lockstep {

class InLibrary {
 public:
  InLibrary() { std::fegetenv(&modes_); }
  ~InLibrary() {
    if (getpid() != process_) _exit(0);
    std::fesetenv(&modes_);
  }
  InLibrary(const InLibrary&) = delete;
  InLibrary& operator=(const InLibrary&) = delete;

 private:
  pid_t process_ = getpid();
  std::fenv_t modes_{};
};

// What `f`, which calls the library, returns.
template <typename F>
auto in_library(const F& f) {
  const InLibrary here;
  return f();
}

}  // namespace lockstep
