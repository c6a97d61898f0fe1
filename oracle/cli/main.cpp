#include "oracle/cli/exit_code.h"
#include "oracle/cli/verbs.h"
#include "reference/contract/device_error.h"

#include "oracle/report/standard_error.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <new>
#include <system_error>

namespace {

int run(int argc, char** argv) {
  CLI::App app(
      "Runs an unfused tensor-parallel layer and its overlapped twin side by side and judges whether they agree.",
      "lockstep");
  app.footer(
      "Exit codes: 0 agree, 1 disagreement, 2 invalid input or usage, 3 blind (too little was really tested), 124 "
      "hang, "
      "125 could not run.");
  app.require_subcommand(0, 1);
  lockstep::Chosen chosen;
  lockstep::add_run(app, chosen);
  lockstep::add_check(app, chosen);
  lockstep::add_faults(app, chosen);
  lockstep::add_hazards(app, chosen);
  lockstep::add_plan(app, chosen);
  lockstep::add_report(app, chosen);
  lockstep::add_order(app, chosen);
  lockstep::add_explain(app, chosen);
  lockstep::add_reduce(app, chosen);
  lockstep::add_bisect(app, chosen);
  lockstep::add_diff(app, chosen);
  lockstep::add_repeat(app, chosen);
  lockstep::add_db(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? lockstep::exit_agree : lockstep::exit_invalid;
  }
  if (!chosen)
    lockstep::refuse(
        "no verb was given: the verbs are run, check, faults list, faults operators, faults score, hazards, plan, "
        "report, order, explain, reduce, bisect, diff, repeat, db list, db replay and db promote; lockstep --help says "
        "more");
  const int code = chosen();
  if (std::fflush(stdout) != 0 || !std::cout.flush())
    lockstep::refuse("standard output cannot be written, so the result is lost");
  return code;
}

int fail(const char* what, const char* sentence, int code) {
  lockstep::say(fmt::format("lockstep: {}{}\n", what, sentence));
  return code;
}

}  // namespace

int main(int argc, char** argv) try { return run(argc, argv); } catch (const lockstep::Refusal& refusal) {
  return fail("", refusal.what(), lockstep::exit_invalid);
} catch (const std::bad_alloc&) {
  return fail("", "there is not enough memory for this input", lockstep::exit_invalid);
} catch (const lockstep::DeviceError& error) {
  return fail("it could not be run: ", error.what(), lockstep::exit_could_not_run);
} catch (const std::system_error& error) {
  return fail("the system cannot do what was asked: ", error.what(), lockstep::exit_could_not_run);
} catch (const std::exception& error) {
  return fail("a mistake in Lockstep itself, please report it: ", error.what(), lockstep::exit_could_not_run);
}
