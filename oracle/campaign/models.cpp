#include "oracle/campaign/models.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

struct Model {
  std::string_view name;
  Index hidden, ffn;
};

constexpr Model models[] = {{"Llama 3 8B", 4096, 14336},
                            {"Llama 3 70B", 8192, 28672},
                            {"Mixtral 8x7B", 4096, 14336},
                            {"GPT-3 175B", 12288, 49152}};
constexpr Index tokens = 4096, splits = 4;

Case layer_case(Index in, Index out, Index tp, Index scale, Data data) {
  Call call;
  call.op = Kernel::row_linear;
  call.tp = tp;
  call.tokens = tokens / scale;
  call.in = in / scale;
  call.out = out / scale;
  call.splits = splits;
  call.data = data;
  return {{call}};
}

}  // namespace

std::vector<ModelCase> model_cases(bool full_size) {
  const Index scale = full_size ? 1 : host_scale;
  std::vector<ModelCase> cases;
  for (Data data : {Data::planted, Data::normal})
    for (const Model& model : models)
      for (Index tp : {2, 4, 8}) {
        cases.push_back({fmt::format("{}, attention projection", model.name),
                         layer_case(model.hidden, model.hidden, tp, scale, data)});
        cases.push_back(
            {fmt::format("{}, second MLP layer", model.name), layer_case(model.ffn, model.hidden, tp, scale, data)});
      }
  return cases;
}

}  // namespace lockstep
