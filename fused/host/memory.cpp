#include "fused/host/memory.h"

#include "reference/contract/hash.h"
#include "reference/contract/refusal.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr auto guard = static_cast<std::size_t>(Memory::guard);
constexpr std::byte guard_pattern{0xA5}, poison{0xFF};

std::size_t at(Index index) { return static_cast<std::size_t>(index); }

// With its guard zones, and so that every block begins at a multiple of `guard`.
std::size_t guarded(Index size) { return (at(size) + 3 * guard - 1) / guard * guard; }

std::size_t bytes_of(const MemoryLayout& layout) {
  std::size_t all = 0;
  for (const MemoryBlock& block : layout.blocks) all += guarded(block.bytes);
  return all;
}

bool intact(std::span<const std::byte> zone) {
  static const std::vector<std::byte> untouched(guard, guard_pattern);
  return std::ranges::equal(zone, untouched);
}

}  // namespace

Memory::Memory(const Program& program)
    : program_(program), layout_(memory_layout(program)), own_(bytes_of(layout_), poison), storage_(own_) {
  place_blocks();
  for (const auto& block : blocks_) {
    std::ranges::fill(block.first(guard), guard_pattern);
    std::ranges::fill(block.last(guard), guard_pattern);
  }
}

Memory::Memory(const Program& program, std::span<std::byte> storage)
    : program_(program), layout_(memory_layout(program)), storage_(storage) {
  CHECK(storage.size() == bytes_of(layout_), "storage of another size than its program's");
  place_blocks();
}

std::size_t Memory::storage_of(const Program& program) { return bytes_of(memory_layout(program)); }

void Memory::place_blocks() {
  std::size_t begin = 0;
  for (const MemoryBlock& block : layout_.blocks) {
    blocks_.push_back(storage_.subspan(begin, at(block.bytes) + 2 * guard));
    begin += guarded(block.bytes);
  }
}

std::span<const std::byte> Memory::whole(Index call, Index buffer, Index rank) const {
  return blocks_[layout_.number(call, buffer, rank)];
}

std::span<std::byte> Memory::whole(Index call, Index buffer, Index rank) {
  return blocks_[layout_.number(call, buffer, rank)];
}

std::span<const std::byte> Memory::bytes(Index call, Index buffer, Index rank) const {
  const auto all = whole(call, buffer, rank);
  return all.subspan(guard, all.size() - 2 * guard);
}

std::span<std::byte> Memory::bytes(Index call, Index buffer, Index rank) {
  const auto all = whole(call, buffer, rank);
  return all.subspan(guard, all.size() - 2 * guard);
}

Index Memory::buffer_named(Index call, std::string_view name) const {
  const auto& buffers = program_.calls[at(call)].buffers;
  const auto found = std::ranges::find(buffers, name, &Buffer::name);
  CHECK(found != buffers.end(), fmt::format("a plan without a buffer named {}", name).c_str());
  return found - buffers.begin();
}

void Memory::write(Index call, std::string_view buffer, Index rank, std::span<const std::byte> from) {
  const auto to = bytes(call, buffer_named(call, buffer), rank);
  CHECK(to.size() == from.size(), "an input whose size is not its buffer's");
  std::ranges::copy(from, to.begin());
}

std::span<const std::byte> Memory::read(Index call, std::string_view buffer, Index rank) const {
  return bytes(call, buffer_named(call, buffer), rank);
}

std::vector<std::string> Memory::broken_guards() const {
  std::vector<std::string> broken;
  for (std::size_t call = 0; call < layout_.numbers.size(); ++call)
    for (std::size_t buffer = 0; buffer < layout_.numbers[call].size(); ++buffer)
      for (std::size_t rank = 0; rank < layout_.numbers[call][buffer].size(); ++rank) {
        const std::span<const std::byte> all(blocks_[layout_.numbers[call][buffer][rank]]);
        if (intact(all.first(guard)) && intact(all.last(guard))) continue;
        const Buffer& of = program_.calls[call].buffers[buffer];
        broken.push_back(fmt::format("the guard zone of {} of rank {}{} was written to", of.name, rank,
                                     is_kept(of.kind) ? "" : fmt::format(" in call {}", call)));
      }
  return broken;
}

std::uint64_t Memory::hash_of_inputs() const {
  std::uint64_t all = 0;
  for (std::size_t call = 0; call < layout_.numbers.size(); ++call)
    for (std::size_t buffer = 0; buffer < layout_.numbers[call].size(); ++buffer)
      if (program_.calls[call].buffers[buffer].kind == BufferKind::input)
        for (const std::size_t number : layout_.numbers[call][buffer]) all = mix(all, hash_of(blocks_[number]));
  return all;
}

}  // namespace lockstep
