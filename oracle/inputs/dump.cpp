#include "oracle/inputs/dump.h"

#include "oracle/inputs/dump_index.h"
#include "oracle/inputs/recorded_reader.h"
#include "reference/contract/case.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr std::string_view index_suffix = ".safetensors.index.json";

std::optional<Metadata> metadata_of(const std::string& path) try {
  if (path.ends_with(index_suffix)) return std::nullopt;
  return read_safetensors(path).metadata;
} catch (const Refusal&) {
  return std::nullopt;
}

std::string value(const Metadata& metadata, const std::string& key) {
  const auto found = metadata.find(key);
  return found == metadata.end() ? "" : found->second;
}

// Files of ranks that go on with those before.
struct Run {
  std::vector<std::string> ranks;
  std::string tp;

  bool takes(const Metadata& metadata) const {
    return !ranks.empty() && value(metadata, "tp") == tp && std::to_string(ranks.size()) != tp &&
           std::ranges::count(ranks, value(metadata, "rank")) == 0;
  }
};

Index rank_of(const Safetensors& file) { return RecordedReader{file}.number("rank", 0, max_tp - 1); }

// That two files say the same but for the rank.
void expect_same_metadata(const Safetensors& first, const Safetensors& other) {
  Metadata a = first.metadata, b = other.metadata;
  a.erase("rank"), b.erase("rank");
  for (const auto& [key, text] : a)
    if (!b.contains(key) || b.at(key) != text)
      refuse("{}: the metadata {}={} of {} is not there or another: the files of the ranks say the same", other.name,
             key, in_quotes(text), first.name);
  for (const auto& [key, text] : b)
    if (!a.contains(key))
      refuse("{}: the metadata {}={} is not in {}: the files of the ranks say the same", other.name, key,
             in_quotes(text), first.name);
}

std::string with_prefix(const Safetensors& file, const std::string& tensor, Index rank) {
  const std::string prefix = fmt::format("rank{}.", rank);
  if (tensor.starts_with(prefix)) return tensor;
  const auto digits = tensor.find_first_not_of("0123456789", 4);
  if (tensor.starts_with("rank") && digits != tensor.npos && digits > 4 && tensor[digits] == '.')
    refuse("{}: tensor {} is not of rank {}, whose file this is", file.name, in_quotes(tensor), rank);
  return prefix + tensor;
}

void add_rank(Safetensors& all, Safetensors file) {
  const Index rank = rank_of(file);
  for (StoredTensor& tensor : file.tensors) {
    tensor.name = with_prefix(file, tensor.name, rank);
    tensor.file = all.files.size();
    if (all.find(tensor.name)) refuse("{}: has tensor {} twice", file.name, in_quotes(tensor.name));
    all.tensors.push_back(std::move(tensor));
  }
  all.files.push_back(std::move(file.files.front()));
}

std::string name_of(const std::vector<Safetensors>& files) {
  return files.size() == 1 ? files[0].name : fmt::format("{} .. {}", files.front().name, files.back().name);
}

Safetensors of_ranks(std::vector<Safetensors> files) {
  const Safetensors& first = files.front();
  const Index tp = RecordedReader{first}.number("tp", 1, max_tp);
  std::vector<Index> ranks;
  for (const Safetensors& file : files) {
    expect_same_metadata(first, file);
    ranks.push_back(rank_of(file));
  }
  Safetensors all{name_of(files), {}, first.metadata, {}};
  for (Index rank = 0; rank < tp; ++rank)
    if (std::ranges::count(ranks, rank) != 1)
      refuse("{}: of tp={} ranks, rank {} is not there: give the files of all ranks one after the other", all.name, tp,
             rank);
  for (Safetensors& file : files) add_rank(all, std::move(file));
  return all;
}

}  // namespace

std::vector<std::vector<std::string>> dumps_in(const std::vector<std::string>& paths) {
  std::vector<std::vector<std::string>> dumps;
  Run run;
  for (const std::string& path : paths) {
    const auto metadata = metadata_of(path);
    const bool is_of_rank = metadata && metadata->contains("rank");
    if (is_of_rank && run.takes(*metadata)) {
      dumps.back().push_back(path);
    } else {
      dumps.push_back({path});
      run = {{}, is_of_rank ? value(*metadata, "tp") : ""};
    }
    if (is_of_rank) run.ranks.push_back(value(*metadata, "rank"));
  }
  return dumps;
}

Safetensors read_dump(const std::vector<std::string>& paths) {
  if (paths.front().ends_with(index_suffix)) return read_indexed(paths.front());
  std::vector<Safetensors> files;
  for (const std::string& path : paths) files.push_back(read_safetensors(path));
  if (files.front().metadata.contains("rank")) return of_ranks(std::move(files));
  return std::move(files.front());
}

}  // namespace lockstep
