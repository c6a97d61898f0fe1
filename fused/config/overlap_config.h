// The configuration of Userbuffers: how each communicator of a transformer layer overlaps with its GEMM.
//
//   communicator            default method   carries          further methods
//   qkv_fprop  fc1_fprop    ring_exchange    all-gather
//   proj_dgrad fc2_dgrad    ring_exchange    all-gather
//   proj_fprop fc2_fprop    pipeline         reduce-scatter   ring_exchange
//   qkv_dgrad  fc1_dgrad    bulk             all-gather       ring_exchange, pipeline: then it carries a reduce-scatter
//   qkv_wgrad  fc1_wgrad    bulk             reduce-scatter   (not there unless its dgrad is bulk)
//   proj_wgrad fc2_wgrad    external         all-gather
//
//   key                             ring_exchange   other        allowed
//   num_sm                          1               16           1..32
//   cga_size                        1               2            1..8; of effect where it divides num_sm
//   set_sm_margin                   false           true
//   num_splits                      tp              4            1..1024; of effect with pipeline
//   aggregate                       false           false        true: ring_exchange all-gather
//   atomic_gemm                     false           false        never true
//   use_ce                          true            true         of effect with ring_exchange
//   fp8_buf                         of an all-gather true, else false; true: reduce-scatter with pipeline
//   comm_priority gemm_priority     highest         lowest       -5..0, lower numbers first, as CUDA has them
//   pipeline_rs_overlap_first_gemm  false           false        true: pipeline
//
// A key that is not given takes the default of the communicator's *default* method: proj_fprop with ring_exchange keeps
// 16 SMs and 4 splits. Only a qkv_dgrad or fc1_dgrad that is not bulk takes the defaults of the method it is given.
//
// Accepted, since a plan orders messages by counters of its own and names what it moves by rows and columns: any number
// of ranks and splits, whatever the remainder (the last aggregated group of an odd ring is one chunk); ring_exchange
// with many SMs and use_ce=false (one signal a message, not one a block); pipeline for a dgrad in any type.
//
// Source: Transformer Engine's initialize_ub. What it takes and then ignores or overwrites is refused here: fp8_buf,
// is_reduce_scatter, aggregate, atomic_gemm and pipeline_rs_overlap_first_gemm where they can have no effect.
#pragma once

#include "reference/contract/dtype.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

enum class OverlapMethod { ring_exchange, pipeline, bulk, external };

// Priorities of streams on Hopper. CUDA clamps them to what a device has.
inline constexpr Index highest_priority = -5, lowest_priority = 0;

struct CommunicatorConfig {
  OverlapMethod method = OverlapMethod::ring_exchange;
  bool is_reduce_scatter = false;
  Index num_sm = 1;
  Index cga_size = 1;
  bool set_sm_margin = false;
  Index num_splits = 1;
  bool aggregate = false;
  bool atomic_gemm = false;
  bool use_ce = true;
  bool fp8_buf = false;
  Index comm_priority = highest_priority;
  Index gemm_priority = lowest_priority;
  bool pipeline_rs_overlap_first_gemm = false;
  bool operator==(const CommunicatorConfig&) const = default;
};

using OverlapConfig = std::map<std::string, CommunicatorConfig, std::less<>>;
using ChosenMethods = std::map<std::string, OverlapMethod, std::less<>>;

struct Communicator {
  std::string_view name;
  std::vector<OverlapMethod> methods;  // the default first
  bool reduces;                        // with its default method
  std::string_view partner;            // of a wgrad that is there only beside a bulk dgrad: that dgrad
};

const std::vector<Communicator>& communicators();
const Communicator& communicator_named(std::string_view name);  // refuses an unknown one
bool is_reduce_scatter(const Communicator& communicator, OverlapMethod method);
bool is_dropped(const Communicator& communicator, const OverlapConfig& config);  // a wgrad whose dgrad is not bulk

// The defaults, given the methods that the user chose. Refuses a tp that is not from 1 to 72 and an unknown name; a
// method that the communicator can not have is for `validate` to refuse.
OverlapConfig default_config(Index tp, const ChosenMethods& chosen = {});

// Refuses what no schedule of Lockstep does, in a sentence that names communicator, key and what is allowed.
void validate(const OverlapConfig& config);

}  // namespace lockstep
