// What check is given: a dump in one file, in a file for each rank, or sharded with an index.
//
//   x.safetensors                   as it is
//   files whose metadata has rank   one after the other, of the same tp, each rank once: one dump. Their tensors are
//                                   rank<r>.NAME, with or without the prefix; all other metadata is the same
//   x.safetensors.index.json        {"metadata": {..}, "weight_map": {tensor: file beside it}}: the tensors as they lie
//                                   in these files; metadata of the index, where it is text, and of the files
//
// Nothing is read but the headers. Whatever contradicts this is a Refusal that names the file.
#pragma once

#include "oracle/inputs/safetensors.h"

namespace lockstep {

// The files of each dump, in the order given. A file that cannot be read stands alone.
std::vector<std::vector<std::string>> dumps_in(const std::vector<std::string>& paths);

Safetensors read_dump(const std::vector<std::string>& paths);

}  // namespace lockstep
