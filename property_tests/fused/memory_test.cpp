#include "fused/host/memory.h"

#include "oracle/inputs/program.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep {
namespace {

Program two_calls() { return correct_program(parse_case("tp=2 tokens=2 in=4 out=3 wire=f32 ; tokens=5")); }

Index panels_of(const Program& program) {
  const auto& buffers = program.calls[0].buffers;
  return std::ranges::find(buffers, BufferKind::userbuffer, &Buffer::kind) - buffers.begin();
}

TEST(Memory, StartsAsPoison) {
  const Program program = two_calls();
  const Memory memory(program);
  for (std::byte b : memory.read(0, "y", 1)) EXPECT_EQ(b, std::byte{0xFF});
}

TEST(Memory, AUserbufferIsTheSameInEveryCallAndAsLargeAsTheLargestNeeds) {
  const Program program = two_calls();
  Memory memory(program);
  const Index panels = panels_of(program);
  EXPECT_EQ(memory.bytes(0, panels, 1).data(), memory.bytes(1, panels, 1).data());
  EXPECT_NE(memory.bytes(0, panels, 0).data(), memory.bytes(0, panels, 1).data());
  EXPECT_EQ(memory.bytes(0, panels, 0).size(), 5u * 3u * 4u);
  EXPECT_NE(memory.read(0, "y", 0).data(), memory.read(1, "y", 0).data());
}

TEST(Memory, AWriteJustOutsideABufferBreaksItsGuard) {
  for (const std::ptrdiff_t outside : {std::ptrdiff_t{-1}, std::ptrdiff_t{0}}) {
    const Program program = two_calls();
    Memory memory(program);
    EXPECT_TRUE(memory.broken_guards().empty());
    const auto bytes = memory.bytes(0, panels_of(program), 1);
    (outside < 0 ? bytes.data() : bytes.data() + bytes.size())[outside] = std::byte{0};
    ASSERT_FALSE(memory.broken_guards().empty());
    EXPECT_EQ(memory.broken_guards().front(), "the guard zone of fprop.panels of rank 1 was written to");
  }
}

TEST(Memory, TheHashOfTheInputsSeesEveryByteOfThemAndNothingElse) {
  const Program program = two_calls();
  Memory memory(program);
  const auto before = memory.hash_of_inputs();
  memory.bytes(0, panels_of(program), 0)[0] = std::byte{1};
  EXPECT_EQ(memory.hash_of_inputs(), before);
  for (Index buffer = 0; buffer < std::ssize(program.calls[1].buffers); ++buffer) {
    if (program.calls[1].buffers[static_cast<std::size_t>(buffer)].kind != BufferKind::input) continue;
    for (std::byte& b : memory.bytes(1, buffer, 1)) {
      b ^= std::byte{1};
      EXPECT_NE(memory.hash_of_inputs(), before);
      b ^= std::byte{1};
    }
  }
  EXPECT_EQ(memory.hash_of_inputs(), before);
}

}  // namespace
}  // namespace lockstep
