// The finite list of what is done to a field of a plan, one operator at a time. Which operators a field takes follows
// from its class:
//
//   number    +1, -1, the value of the same field in a sibling; where it counts elements of a region, plus and minus
//             that region's leading dimension too
//   choice    the next and the one before of its few values, a sibling's
//   part      dropped, or added: the C of a GEMM that accumulates nothing becomes its D
//   element   of a list: dropped, duplicated, swapped with the next; the whole list is a part
//   operation dropped, duplicated, swapped with the next on its lane
//
// A sibling is of the same kind and has the same role (what it writes to, or its counter), and comes next on its rank
// (another split) or stands at the same place on the next rank.
#pragma once

#include "reference/contract/dtype.h"

#include <string>
#include <vector>

namespace lockstep {

enum class Operator {
  plus_one,
  minus_one,
  plus_stride,
  minus_stride,
  sibling_split,
  sibling_rank,
  drop,
  add,
  duplicate,
  swap
};

// What a field says, and so what a mutant of it gets wrong.
enum class FieldClass {
  buffer,             // in which buffer a region lies
  peer,               // on which rank
  offset,             // where in it
  slot,               // the same, in a Userbuffer
  extent,             // how many rows and columns
  leading_dimension,  // from row to row
  layout,             // whether a matrix is stored transposed
  format,             // a number format: of codes, of what a sum is rounded to
  recipe,             // how a scale follows from an amax
  scale,              // whether and in which blocks there are scales
  bias,               // whether there is a bias
  accumulate,         // whether D is added to what stands there
  amax,               // whether an amax is kept
  source,             // the terms of a reduction, and how they are taken together
  signal,             // which counter, and how far
  lane,               // on which lane of which rank
  edge,               // what it comes after
  order               // the operation itself
};

inline constexpr Operator all_operators[] = {
    Operator::plus_one,     Operator::minus_one, Operator::plus_stride, Operator::minus_stride, Operator::sibling_split,
    Operator::sibling_rank, Operator::drop,      Operator::add,         Operator::duplicate,    Operator::swap};

inline constexpr FieldClass all_field_classes[] = {FieldClass::buffer,
                                                   FieldClass::peer,
                                                   FieldClass::offset,
                                                   FieldClass::slot,
                                                   FieldClass::extent,
                                                   FieldClass::layout,
                                                   FieldClass::leading_dimension,
                                                   FieldClass::format,
                                                   FieldClass::recipe,
                                                   FieldClass::scale,
                                                   FieldClass::bias,
                                                   FieldClass::accumulate,
                                                   FieldClass::amax,
                                                   FieldClass::source,
                                                   FieldClass::signal,
                                                   FieldClass::lane,
                                                   FieldClass::edge,
                                                   FieldClass::order};

std::string_view name(Operator);
std::string_view name(FieldClass);

// The operators that fields of the class take, one way or another.
std::vector<Operator> operators_of(FieldClass);

}  // namespace lockstep
