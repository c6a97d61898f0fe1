#include "oracle/inputs/dump_index.h"

#include "oracle/inputs/safetensors_json.h"
#include "reference/contract/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace lockstep {
namespace {

using nlohmann::json;

json parsed(const OpenFile& file) {
  if (file.size() > max_safetensors_header)
    refuse("{}: has {} bytes; the longest index read is {}", file.name(), file.size(), max_safetensors_header);
  const auto bytes = file.read({0, file.size()});
  return parse_header_json(file.name(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// File by file: the tensors that the index has there.
std::map<std::string, std::vector<std::string>> by_file(const std::string& index, const json& root) {
  const auto map = root.is_object() ? root.find("weight_map") : root.end();
  if (!root.is_object() || map == root.end() || !map->is_object() || map->empty())
    refuse("{}: has no weight_map with tensors and their files, as an index has", index);
  std::map<std::string, std::vector<std::string>> files;
  for (const auto& [tensor, file] : map->items()) {
    const std::string name = file.is_string() ? file.get<std::string>() : "";
    if (name.empty() || std::filesystem::path(name).filename() != name || name == "." || name == "..")
      refuse("{}: the file of tensor {} is not the name of a file beside the index", index, in_quotes(tensor));
    files[name].push_back(tensor);
  }
  return files;
}

void add_metadata(Safetensors& all, const std::string& from, const Metadata& more) {
  for (const auto& [key, text] : more)
    if (const auto [at, is_new] = all.metadata.try_emplace(key, text); !is_new && at->second != text)
      refuse("{}: the metadata {}={} contradicts {} before", from, key, in_quotes(text), in_quotes(at->second));
}

Metadata metadata_of(const json& root) {
  Metadata metadata;
  if (const auto found = root.find("metadata"); found != root.end() && found->is_object())
    for (const auto& [key, text] : found->items())
      if (text.is_string()) metadata[key] = text.get<std::string>();
  return metadata;
}

void add_shard(Safetensors& all, Safetensors shard, const std::vector<std::string>& tensors) {
  for (StoredTensor& tensor : shard.tensors) {
    if (std::ranges::find(tensors, tensor.name) == tensors.end())
      refuse("{}: has tensor {}, of which the index {} says otherwise", shard.name, in_quotes(tensor.name), all.name);
    tensor.file = all.files.size();
    all.tensors.push_back(std::move(tensor));
  }
  for (const std::string& tensor : tensors)
    if (std::ranges::find(all.tensors, tensor, &StoredTensor::name) == all.tensors.end())
      refuse("{}: has no tensor {}, which the index {} says is in it", shard.name, in_quotes(tensor), all.name);
  all.files.push_back(std::move(shard.files.front()));
}

}  // namespace

Safetensors read_indexed(const std::string& path) {
  const OpenFile index(path);
  const json root = parsed(index);
  const auto files = by_file(index.name(), root);
  Safetensors all{index.name(), {}, metadata_of(root), {}};
  for (const auto& [file, tensors] : files) {
    Safetensors shard = read_safetensors((std::filesystem::path(path).parent_path() / file).string());
    add_metadata(all, shard.name, shard.metadata);
    add_shard(all, std::move(shard), tensors);
  }
  return all;
}

}  // namespace lockstep
