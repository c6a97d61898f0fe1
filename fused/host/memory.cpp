#include "fused/host/memory.h"

#include "reference/contract/hash.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <map>

namespace lockstep {
namespace {

constexpr std::size_t guard = 64;
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

bool intact(std::span<const std::byte> zone) { return std::ranges::count(zone, guard_pattern) == std::ssize(zone); }

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
  std::map<std::pair<std::string, Index>, std::shared_ptr<Block>> shared;
  for (const auto& [key, bytes] : kept_bytes(program))
    shared[key] = std::make_shared<Block>(Block{fmt::format("{} of rank {}", key.first, key.second), guarded(bytes)});
  for (std::size_t call = 0; call < program.calls.size(); ++call) {
    auto& of_call = blocks_.emplace_back();
    for (const Buffer& buffer : program.calls[call].buffers) {
      auto& of_buffer = of_call.emplace_back();
      for (Index rank = 0; rank < std::ssize(buffer.elements); ++rank)
        of_buffer.push_back(
            is_kept(buffer.kind)
                ? shared.at({buffer.name, rank})
                : std::make_shared<Block>(Block{fmt::format("{} of rank {} in call {}", buffer.name, rank, call),
                                                guarded(byte_count(buffer.dtype, 1, buffer.elements[at(rank)]))}));
    }
  }
}

const Memory::Block& Memory::block(Index call, Index buffer, Index rank) const {
  return *blocks_[at(call)][at(buffer)][at(rank)];
}

std::span<const std::byte> Memory::bytes(Index call, Index buffer, Index rank) const {
  return std::span(block(call, buffer, rank).bytes).subspan(guard, block(call, buffer, rank).bytes.size() - 2 * guard);
}

std::span<std::byte> Memory::bytes(Index call, Index buffer, Index rank) {
  auto& all = blocks_[at(call)][at(buffer)][at(rank)]->bytes;
  return std::span(all).subspan(guard, all.size() - 2 * guard);
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
  for (const auto& of_call : blocks_)
    for (const auto& of_buffer : of_call)
      for (const auto& one : of_buffer) {
        const std::span all(one->bytes);
        if (!intact(all.first(guard)) || !intact(all.last(guard)))
          broken.push_back("the guard zone of " + one->what + " was written to");
      }
  return broken;
}

std::uint64_t Memory::hash_of_inputs() const {
  std::uint64_t all = 0;
  for (std::size_t call = 0; call < blocks_.size(); ++call)
    for (std::size_t buffer = 0; buffer < blocks_[call].size(); ++buffer)
      if (program_.calls[call].buffers[buffer].kind == BufferKind::input)
        for (const auto& one : blocks_[call][buffer]) all = mix(all, hash(one->bytes));
  return all;
}

}  // namespace lockstep
