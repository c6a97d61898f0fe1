#include "oracle/kernel/kernel_arena.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace lockstep {
namespace {

constexpr std::size_t alignment = 256;

struct Free {
  void operator()(std::byte* bytes) const { std::free(bytes); }
};

class HostArena : public KernelArena {
 public:
  explicit HostArena(std::size_t bytes)
      : bytes_(static_cast<std::byte*>(std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment))) {
    if (!bytes_) throw std::bad_alloc();
  }

  std::byte* begin() const override { return bytes_.get(); }
  void* stream() const override { return nullptr; }
  void upload(std::span<const std::byte> image) override { std::ranges::copy(image, bytes_.get()); }
  std::string wait() override { return ""; }
  void download(std::span<std::byte> image) const override { std::copy_n(bytes_.get(), image.size(), image.data()); }

 private:
  std::unique_ptr<std::byte, Free> bytes_;
};

}  // namespace

std::unique_ptr<KernelArena> host_arena(Index bytes) {
  return std::make_unique<HostArena>(static_cast<std::size_t>(bytes));
}

}  // namespace lockstep
