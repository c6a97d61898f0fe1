#include "oracle/judges/cuda/scratch.h"

namespace lockstep {

void* Scratch::bytes(std::size_t size) {
  if (next_ == blocks_.size()) blocks_.push_back({size, DeviceBytes(size)});
  Block& block = blocks_[next_++];
  if (block.size < size) block = {size, DeviceBytes(size)};
  return block.bytes.data();
}

}  // namespace lockstep
