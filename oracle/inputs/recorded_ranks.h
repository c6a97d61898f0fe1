// What the dumps of several ranks have in common: rank<r>.tensor, sizes in the metadata, one set of formats.
#pragma once

#include "oracle/inputs/recorded_layer.h"
#include "oracle/inputs/recorded_reader.h"

namespace lockstep {

std::string of_rank(Index rank, std::string_view tensor);

// tp, tokens, in_features, out_features.
Problem read_problem(const RecordedReader& read);

// By its name; none where it is absent or unknown. `what` is the op, where it reduces nothing.
std::optional<RecordedReduction> read_reduction(const RecordedReader& read, bool reduces, std::string_view what);

// alpha=1, beta=0, split_k=1, recipe=tensor: no kernel over ranks does anything else yet; a gemm may (recorded_gemm.h).
void expect_plain(const RecordedReader& read);

// On every rank, both of them, or on none: one that is missing is not taken for 1. `rest` ends the refusal.
void expect_on_every_rank(const RecordedReader& read, Index tp, const std::vector<std::string>& tensors,
                          std::string_view rest);

// That a tensor has the same format on all ranks.
void expect_alike(const RecordedReader& read, Index tp, const std::vector<std::string>& tensors);

}  // namespace lockstep
