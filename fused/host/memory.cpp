#include "fused/host/memory.h"

#include "reference/contract/hash.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <map>

namespace lockstep {
namespace {

constexpr auto guard = static_cast<std::size_t>(Memory::guard);
constexpr std::byte guard_pattern{0xA5}, poison{0xFF};

std::size_t at(Index index) { return static_cast<std::size_t>(index); }

std::map<std::pair<std::string, Index>, Index> kept_bytes(const Program& program) {
  std::map<std::pair<std::string, Index>, Index> bytes;
  for (const Plan& plan : program.calls)
    for (const Buffer& buffer : plan.buffers)
      for (Index rank = 0; is_kept(buffer.kind) && rank < plan.ranks; ++rank) {
        Index& needed = bytes[{buffer.name, rank}];
        needed = std::max(needed, byte_count(buffer.dtype, 1, buffer.elements[at(rank)]));
      }
  return bytes;
}

std::vector<std::byte> guarded(Index size) {
  std::vector<std::byte> bytes(at(size) + 2 * guard, poison);
  std::fill_n(bytes.begin(), guard, guard_pattern);
  std::fill_n(bytes.end() - guard, guard, guard_pattern);
  return bytes;
}

bool intact(std::span<const std::byte> zone) {
  static const std::vector<std::byte> untouched(guard, guard_pattern);
  return std::ranges::equal(zone, untouched);
}

std::uint64_t hash(std::span<const std::byte> bytes) {
  std::uint64_t all = bytes.size();
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
    all = mix(all ^ word);
  }
  return all;
}

}  // namespace

Memory::Memory(const Program& program) : program_(program) {
  std::map<std::pair<std::string, Index>, std::shared_ptr<Block>> kept;
  for (const auto& [key, bytes] : kept_bytes(program)) kept[key] = std::make_shared<Block>(guarded(bytes));
  for (const Plan& plan : program.calls) {
    auto& of_call = blocks_.emplace_back();
    for (const Buffer& buffer : plan.buffers) {
      auto& of_buffer = of_call.emplace_back();
      for (Index rank = 0; rank < std::ssize(buffer.elements); ++rank)
        of_buffer.push_back(is_kept(buffer.kind) ? kept.at({buffer.name, rank})
                                                 : std::make_shared<Block>(guarded(
                                                       byte_count(buffer.dtype, 1, buffer.elements[at(rank)]))));
    }
  }
}

const Memory::Block& Memory::block(Index call, Index buffer, Index rank) const {
  return *blocks_[at(call)][at(buffer)][at(rank)];
}

std::span<const std::byte> Memory::whole(Index call, Index buffer, Index rank) const {
  return block(call, buffer, rank);
}

std::span<std::byte> Memory::whole(Index call, Index buffer, Index rank) {
  return *blocks_[at(call)][at(buffer)][at(rank)];
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
  for (std::size_t call = 0; call < blocks_.size(); ++call)
    for (std::size_t buffer = 0; buffer < blocks_[call].size(); ++buffer)
      for (std::size_t rank = 0; rank < blocks_[call][buffer].size(); ++rank) {
        const std::span all(*blocks_[call][buffer][rank]);
        if (intact(all.first(guard)) && intact(all.last(guard))) continue;
        const Buffer& of = program_.calls[call].buffers[buffer];
        broken.push_back(fmt::format("the guard zone of {} of rank {}{} was written to", of.name, rank,
                                     is_kept(of.kind) ? "" : fmt::format(" in call {}", call)));
      }
  return broken;
}

std::uint64_t Memory::hash_of_inputs() const {
  std::uint64_t all = 0;
  for (std::size_t call = 0; call < blocks_.size(); ++call)
    for (std::size_t buffer = 0; buffer < blocks_[call].size(); ++buffer)
      if (program_.calls[call].buffers[buffer].kind == BufferKind::input)
        for (const auto& one : blocks_[call][buffer]) all = mix(all, hash(*one));
  return all;
}

}  // namespace lockstep
