#include "oracle/report/json_read.h"

#include "fused/config/strict_json.h"
#include "oracle/inputs/safetensors_file.h"
#include "reference/contract/refusal.h"

#include <nlohmann/json.hpp>

namespace lockstep {

std::string read_text(const std::string& path) {
  constexpr Index most = Index{256} << 20;
  const OpenFile file(path);
  if (file.size() > most)
    refuse("{}: has {} bytes, which is more than the {} that are read of a text", shown_path(path), file.size(), most);
  const auto bytes = file.read({0, file.size()});
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

nlohmann::json read_json(const std::string& path) {
  const std::string text = read_text(path);
  return strict_json(text, shown_path(path));
}

}  // namespace lockstep
