#include "oracle/inputs/safetensors_file.h"

#include "oracle/inputs/recorded_path.h"
#include "reference/contract/refusal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace lockstep {
namespace {

Index regular_size(const std::string& name, int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) refuse("{}: cannot be read: {}", name, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) refuse("{}: is not a file: give a regular file, not a directory, pipe or device", name);
  return status.st_size;
}

}  // namespace

OpenFile::OpenFile(const std::string& path) : name_(shown_path(path)) {
  // Not to wait for the other end of a pipe.
  descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) refuse("{}: cannot be opened: {}", name_, std::strerror(errno));
  try {
    size_ = regular_size(name_, descriptor_);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

OpenFile::OpenFile(OpenFile&& other) noexcept
    : name_(std::move(other.name_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

std::vector<std::byte> OpenFile::read(const Range& bytes) const {
  std::vector<std::byte> content(static_cast<std::size_t>(bytes.size()));
  for (Index done = 0; done < bytes.size();) {
    const ssize_t n =
        pread(descriptor_, content.data() + done, static_cast<std::size_t>(bytes.size() - done), bytes.begin + done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse("{}: cannot be read: {}", name_, std::strerror(errno));
    if (n == 0) refuse("{}: became shorter while it was read: its byte {} is gone", name_, bytes.begin + done);
    done += n;
  }
  return content;
}

}  // namespace lockstep
