#include "oracle/campaign/stop.h"

#include <csignal>

namespace lockstep {
namespace {

constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t asked_by = 0;

void ask(int signal) { asked_by = signal; }

}  // namespace

StopOnSignals::StopOnSignals() {
  struct sigaction once {};
  once.sa_handler = ask;
  once.sa_flags = SA_RESETHAND;
  for (int signal : signals) {
    struct sigaction before {};
    sigaction(signal, &once, &before);
    if (before.sa_handler == SIG_IGN) sigaction(signal, &before, nullptr);  // as under nohup
  }
}

StopOnSignals::~StopOnSignals() { leave_signals_alone(); }

int stop_asked_by() { return asked_by; }

void leave_signals_alone() {
  for (int signal : signals) std::signal(signal, SIG_DFL);
  asked_by = 0;
}

}  // namespace lockstep
