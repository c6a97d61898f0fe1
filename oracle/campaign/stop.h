// A campaign that is asked to stop (Ctrl-C, SIGTERM, SIGHUP) ends after the cases that are under way and says what it
// has; asked a second time the process ends at once.
#pragma once

namespace lockstep {

class StopOnSignals {
 public:
  StopOnSignals();
  ~StopOnSignals();
  StopOnSignals(const StopOnSignals&) = delete;
  StopOnSignals& operator=(const StopOnSignals&) = delete;
};

// The number of the signal, 0: none came.
int stop_asked_by();
// In a child: as if none had been asked for.
void leave_signals_alone();

}  // namespace lockstep
