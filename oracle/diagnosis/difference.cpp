#include "oracle/diagnosis/difference.h"

#include "oracle/judges/same_value.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace lockstep {
namespace {

bool is_same(DType a_type, std::uint32_t a, DType b_type, std::uint32_t b) {
  if (a_type == b_type) return same_value(a_type, a, b);
  const float one = decode(a_type, a), other = decode(b_type, b);
  return one == other || (std::isnan(one) && std::isnan(other));
}

void add(TensorDifference& all, Index row, Index col, std::uint32_t a, std::uint32_t b) {
  const double one = decode(all.a_type, a), other = decode(all.b_type, b);
  for (double value : {one, other})
    if (!std::isnan(value)) all.magnitude = std::max(all.magnitude, std::abs(value));
  if (is_same(all.a_type, a, all.b_type, b)) return;
  if (all.differing++ == 0) all.row = row, all.col = col, all.a = a, all.b = b;
  if (std::isnan(one) != std::isnan(other)) ++all.nans;
  if (const double apart = std::abs(one - other); apart > all.largest) all.largest = apart;
}

TensorDifference only(std::string name, std::string_view in) {
  TensorDifference one;
  one.name = std::move(name), one.why = fmt::format("only in {}", in);
  return one;
}

std::string shape(const StoredTensor& t) {
  std::string text;
  for (Index size : t.shape) text += fmt::format("{}{}", text.empty() ? "" : ", ", size);
  return fmt::format("[{}]", text);
}

TensorDifference compared(const Safetensors& a, const StoredTensor& one, const Safetensors& b,
                          const StoredTensor& other) {
  if (one.shape == other.shape) return difference(one.name, load(a, one), load(b, other));
  TensorDifference apart;
  apart.name = one.name, apart.why = fmt::format("shapes {} and {}", shape(one), shape(other));
  return apart;
}

void add_names(std::vector<TensorDifference>& all, std::size_t call, const NamedTensors& a, const NamedTensors& b) {
  for (const auto& [name, ranks] : a) {
    const auto found = b.find(name);
    const std::size_t others = found == b.end() ? 0 : found->second.size();
    for (std::size_t rank = 0; rank < std::max(ranks.size(), others); ++rank) {
      std::string place = fmt::format("call {}, {}, rank {}", call, name, rank);
      if (rank >= others || rank >= ranks.size())
        all.push_back(only(std::move(place), rank >= others ? "A" : "B"));
      else
        all.push_back(difference(std::move(place), ranks[rank], found->second[rank]));
    }
  }
  for (const auto& [name, ranks] : b)
    if (!a.contains(name)) all.push_back(only(fmt::format("call {}, {}", call, name), "B"));
}

std::string line(const TensorDifference& one) {
  if (!one.why.empty()) return fmt::format("{:<28} {}\n", one.name, one.why);
  if (one.differing == 0) return fmt::format("{:<28} {:>10} {:>10}\n", one.name, one.elements, 0);
  return fmt::format("{:<28} {:>10} {:>10} {:>8} {:>12.5g} {:>12.5g}  [{}, {}]: {} (0x{:x}), {} (0x{:x})\n", one.name,
                     one.elements, one.differing, one.nans, one.largest, one.magnitude, one.row, one.col,
                     decode(one.a_type, one.a), one.a, decode(one.b_type, one.b), one.b);
}

}  // namespace

TensorDifference difference(std::string name, const Tensor& a, const Tensor& b) {
  TensorDifference all;
  all.name = std::move(name), all.a_type = a.dtype, all.b_type = b.dtype;
  if (a.rows != b.rows || a.cols != b.cols) {
    all.why = fmt::format("shapes {} x {} and {} x {}", a.rows, a.cols, b.rows, b.cols);
    return all;
  }
  all.elements = a.rows * a.cols;
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < a.cols; ++j) add(all, i, j, code_at(a, i, j), code_at(b, i, j));
  return all;
}

std::vector<TensorDifference> difference(const Safetensors& a, const Safetensors& b) {
  std::vector<TensorDifference> all;
  for (const StoredTensor& one : a.tensors) {
    const StoredTensor* other = b.find(one.name);
    all.push_back(other ? compared(a, one, b, *other) : only(one.name, "A"));
  }
  for (const StoredTensor& other : b.tensors)
    if (!a.find(other.name)) all.push_back(only(other.name, "B"));
  return all;
}

std::vector<TensorDifference> difference(const std::vector<NamedTensors>& a, const std::vector<NamedTensors>& b) {
  std::vector<TensorDifference> all;
  const NamedTensors none;
  for (std::size_t call = 0; call < std::max(a.size(), b.size()); ++call)
    add_names(all, call, call < a.size() ? a[call] : none, call < b.size() ? b[call] : none);
  return all;
}

std::string print(const std::vector<TensorDifference>& all) {
  std::string text = fmt::format("{:<28} {:>10} {:>10} {:>8} {:>12} {:>12}  {}\n", "tensor", "elements", "differ",
                                 "NaN in 1", "largest", "magnitude", "first: A, B");
  for (const TensorDifference& one : all) text += line(one);
  return text +
         fmt::format("{} of {} tensors differ\n", std::ranges::count_if(all, &TensorDifference::differs), all.size());
}

nlohmann::json to_json(const std::vector<TensorDifference>& all) {
  nlohmann::json tensors = nlohmann::json::array();
  for (const TensorDifference& one : all)
    tensors.push_back({{"name", one.name},
                       {"differs", one.differs()},
                       {"why", one.why},
                       {"elements", one.elements},
                       {"differing", one.differing},
                       {"nan_in_one", one.nans},
                       {"largest", one.largest},
                       {"magnitude", one.magnitude},
                       {"row", one.row},
                       {"column", one.col}});
  return tensors;
}

}  // namespace lockstep
