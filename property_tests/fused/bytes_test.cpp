#include "fused/plan/bytes.h"

#include "oracle/inputs/program.h"
#include "property_tests/in_a_world.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lockstep {
namespace {

RC_GTEST_PROP(ProgramBytes, GiveBackEveryFieldOfEveryProgram, ()) {
  const Program program = correct_program(*in_a_world(arbitrary_case()));
  const Program back = program_of_bytes(bytes_of(program));
  RC_ASSERT(back.calls == program.calls);
  RC_ASSERT(back.counter_base == program.counter_base);
}

RC_GTEST_PROP(ProgramBytes, RefuseToBeCutOrLengthened, ()) {
  auto bytes = bytes_of(correct_program(parse_case("tp=2 counter=7")));
  const auto length = *rc::gen::inRange<std::size_t>(0, bytes.size() + 9);
  RC_PRE(length != bytes.size());
  bytes.resize(length);
  RC_ASSERT_THROWS(program_of_bytes(bytes));
}

}  // namespace
}  // namespace lockstep
