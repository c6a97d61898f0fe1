// The memory of a program on the host: every buffer of every call and rank, filled with poison, between guard zones.
//
// Inputs, outputs and workspaces belong to their call; a Userbuffer or a state of one name is the same memory in every
// call, as large as the largest call needs.
#pragma once

#include "fused/plan/plan.h"
#include "reference/contract/tensor.h"

#include <memory>
#include <span>

namespace lockstep {

class Memory {
 public:
  explicit Memory(const Program& program);

  std::span<std::byte> bytes(Index call, Index buffer, Index rank);
  std::span<const std::byte> bytes(Index call, Index buffer, Index rank) const;

  // With its guard zones: `guard` bytes before and after.
  static constexpr Index guard = 64;
  std::span<std::byte> whole(Index call, Index buffer, Index rank);
  std::span<const std::byte> whole(Index call, Index buffer, Index rank) const;

  // By name; the number of bytes must be the buffer's.
  void write(Index call, std::string_view buffer, Index rank, std::span<const std::byte> from);
  std::span<const std::byte> read(Index call, std::string_view buffer, Index rank) const;

  // A sentence for each buffer whose guard zone was written to.
  std::vector<std::string> broken_guards() const;
  // Over all inputs of all calls; a difference after the run means that one was written to.
  std::uint64_t hash_of_inputs() const;

 private:
  using Block = std::vector<std::byte>;  // guard, contents, guard
  Index buffer_named(Index call, std::string_view name) const;
  const Block& block(Index call, Index buffer, Index rank) const;

  const Program& program_;
  std::vector<std::vector<std::vector<std::shared_ptr<Block>>>> blocks_;  // [call][buffer][rank]
};

}  // namespace lockstep
