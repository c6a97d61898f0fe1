// A safetensors file by hand: 8 bytes that say how long the header is, the header, the data.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

namespace lockstep {

inline std::string with_length(std::uint64_t length, const std::string& rest) {
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + rest;
}

inline std::string safetensors_bytes(const std::string& header, const std::string& data = "") {
  return with_length(header.size(), header + data);
}

}  // namespace lockstep
