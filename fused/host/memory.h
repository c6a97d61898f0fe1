// The memory of a program on the host: every buffer of every call and rank (fused/plan/memory_layout.h), filled with
// poison, between guard zones; one piece, in which a block has the same place for everyone who has the program.
#pragma once

#include "fused/plan/memory_layout.h"
#include "reference/contract/tensor.h"

#include <span>

namespace lockstep {

class Memory {
 public:
  explicit Memory(const Program& program);
  // In storage that another has filled or will fill, of as many bytes as `storage_of` says.
  Memory(const Program& program, std::span<std::byte> storage);
  static std::size_t storage_of(const Program& program);
  Memory(const Memory&) = delete;
  Memory(Memory&&) = default;

  std::span<std::byte> bytes(Index call, Index buffer, Index rank);
  std::span<const std::byte> bytes(Index call, Index buffer, Index rank) const;

  // With its guard zones: `guard` bytes before and after.
  static constexpr Index guard = 64;
  std::span<std::byte> whole(Index call, Index buffer, Index rank);
  std::span<const std::byte> whole(Index call, Index buffer, Index rank) const;

  // By name; the number of bytes must be the buffer's.
  void write(Index call, std::string_view buffer, Index rank, std::span<const std::byte> from);
  std::span<const std::byte> read(Index call, std::string_view buffer, Index rank) const;

  // All of it: what two memories of one program have in the same order.
  std::span<std::byte> storage() { return storage_; }

  // A sentence for each buffer whose guard zone was written to.
  std::vector<std::string> broken_guards() const;
  // Over all inputs of all calls; a difference after the run means that one was written to.
  std::uint64_t hash_of_inputs() const;

 private:
  void place_blocks();
  Index buffer_named(Index call, std::string_view name) const;

  const Program& program_;
  MemoryLayout layout_;
  std::vector<std::byte> own_;  // where it was not given storage
  std::span<std::byte> storage_;
  std::vector<std::span<std::byte>> blocks_;  // of the layout: guard, contents, guard
};

}  // namespace lockstep
