#include "oracle/campaign/models.h"

#include "oracle/inputs/inputs.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

struct Model {
  std::string_view name;
  Index hidden, qkv, ffn;
};

constexpr Model models[] = {{"Llama 3 8B", 4096, 6144, 14336},
                            {"Llama 3 70B", 8192, 10240, 28672},
                            {"Mixtral 8x7B", 4096, 6144, 14336},
                            {"GPT-3 175B", 12288, 36864, 49152}};
constexpr Index tokens = 4096, splits = 4, full_size_sample = 4;

Call layer(Kernel op, Index in, Index out) {
  Call call;
  call.op = op, call.in = in, call.out = out;
  return call;
}

// At full size exact data is judged in time linear in its matrices, other data by a sample.
Case sized(Call call, Index tp, Index scale, Data data) {
  call.pass = Pass::both, call.tp = tp, call.splits = splits, call.data = data;
  if (scale == 1 && is_exact(data)) call.judge = JudgeChoice::freivalds;
  if (scale == 1 && !is_exact(data)) call.sample = full_size_sample;
  call.tokens = tokens / scale, call.in /= scale, call.out /= scale;
  return {{resolved(call)}};
}

}  // namespace

std::vector<ModelCase> model_cases(bool full_size) {
  const Index scale = full_size ? 1 : host_scale;
  std::vector<ModelCase> cases;
  for (Data data : {Data::planted, Data::normal})
    for (const Model& m : models)
      for (Index tp : {2, 8})
        for (const auto& [what, call] :
             {std::pair("QKV projection", layer(Kernel::column_linear, m.hidden, m.qkv)),
              std::pair("attention projection", layer(Kernel::row_linear, m.hidden, m.hidden)),
              std::pair("first MLP layer", layer(Kernel::column_linear, m.hidden, m.ffn)),
              std::pair("second MLP layer", layer(Kernel::row_linear, m.ffn, m.hidden))})
          cases.push_back({fmt::format("{}, {}", m.name, what), sized(call, tp, scale, data)});
  return cases;
}

}  // namespace lockstep
