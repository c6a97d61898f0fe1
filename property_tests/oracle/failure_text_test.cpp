// How a failure is printed.
#include "oracle/report/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

Reading reading_of(const char* words, Index call) {
  Reading reading;
  reading.words = words, reading.output = "y", reading.call = call, reading.is_ambiguous = true;
  reading.explains = reading.of = 4;
  return reading;
}

TEST(FailureText, OnlyReadingsOfTheSameElementsAreAlternatives) {
  Failure failure;
  failure.explanation.readings = {reading_of("one", 0), reading_of("two", 0), reading_of("three", 1),
                                  reading_of("four", 1)};
  const std::string text = print(failure);
  for (const char* line : {"reads as one in", "or as    two in", "reads as three in", "or as    four in"})
    EXPECT_THAT(text, testing::HasSubstr(line));
}

}  // namespace
}  // namespace lockstep
