#include "oracle/inputs/mapped_file.h"

#include "reference/contract/refusal.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace lockstep {
namespace {

struct Descriptor {
  explicit Descriptor(int d) : number(d) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
  int number;
};

std::size_t regular_size(const std::string& path, int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) refuse("{}: cannot be read: {}", path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) refuse("{}: is not a file: give a regular file, not a directory, pipe or device", path);
  return static_cast<std::size_t>(status.st_size);
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  // Not to wait for the other end of a pipe.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number < 0) refuse("{}: cannot be opened: {}", path, std::strerror(errno));
  const std::size_t size = regular_size(path, file.number);
  if (size == 0) return;
  void* at = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (at == MAP_FAILED) refuse("{}: cannot be mapped: {}", path, std::strerror(errno));
  bytes_ = {static_cast<const std::byte*>(at), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

}  // namespace lockstep
