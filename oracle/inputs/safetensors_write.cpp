#include "oracle/inputs/recorded_path.h"
#include "oracle/inputs/safetensors.h"
#include "reference/contract/refusal.h"

#include <nlohmann/json.hpp>

#include <fstream>

namespace lockstep {
namespace {

std::string header_of(const Metadata& metadata, const std::vector<NamedTensor>& tensors) {
  nlohmann::ordered_json header{{"__metadata__", metadata}};
  std::size_t begin = 0;
  for (const auto& [name, shape, tensor] : tensors) {
    const std::size_t end = begin + tensor.bytes.size();
    header[name] = {{"dtype", safetensors_name(tensor.dtype)}, {"shape", shape}, {"data_offsets", {begin, end}}};
    begin = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the data is aligned
  return text;
}

}  // namespace

void write_safetensors(const std::string& path, const Metadata& metadata, const std::vector<NamedTensor>& tensors) {
  const std::string header = header_of(metadata, tensors);
  const std::uint64_t length = header.size();
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(&length), sizeof length);
  file << header;
  for (const NamedTensor& named : tensors)
    file.write(reinterpret_cast<const char*>(named.tensor.bytes.data()), std::ssize(named.tensor.bytes));
  if (!file.flush()) refuse("{}: cannot be written", shown_path(path));
}

}  // namespace lockstep
