#include "oracle/judges/cuda/freivalds_on_device.h"

#include "oracle/judges/cuda/exact_factors.h"
#include "oracle/judges/cuda/read_back.h"

#include <array>

namespace lockstep {
namespace {

enum Stream : std::uint64_t { of_columns = 1, of_rows = 2 };

Index inputs_of(const DeviceClaim& claim) { return 2 * std::ssize(claim.terms) + std::ssize(claim.addends); }

// C^T = sum of scale B A^T + sum of addend^T
DeviceClaim transposed(DeviceClaim claim) {
  claim.c = transposed(claim.c);
  for (DeviceTerm& term : claim.terms) std::swap(term.a, term.b);
  for (WholeOnDevice& addend : claim.addends) addend = lockstep::transposed(std::move(addend));
  return claim;
}

DeviceVector take(Scratch& scratch, Index size) { return {scratch.take<Mersenne61>(size), size}; }

// What a look at a claim leaves on the device.
struct Look {
  unsigned char* marks;  // of its wrong rows
  Tally* tallies;        // of the inputs, of C, and of the wrong rows
};

// The one is behind the other, so that both are cleared at once.
Look clear_look(const DeviceClaim& claim, Scratch& scratch, cudaStream_t on) {
  const Index tallies = (inputs_of(claim) + 2) * static_cast<Index>(sizeof(Tally));
  auto* const bytes = zeros<unsigned char>(scratch, tallies + rows_of(claim.c), on);
  return {bytes + tallies, reinterpret_cast<Tally*>(bytes)};
}

// C x - what it should be, by one random x, and which rows of that are not 0.
struct Looking {
  const DeviceClaim& claim;
  const DeviceFreivaldsOptions& options;
  Scratch& scratch;
  int exponent = exponent_of(claim);
  Look look = clear_look(claim, scratch, options.stream);
  Tally* next = look.tallies;
  DeviceVector x = take(scratch, cols_of(claim.c));
  std::vector<Share> shares{};

  Share of(const WholeOnDevice& m, DeviceVector v, Mersenne61 factor) {
    return share_of({.m = m, .x = v, .tally = next++}, factor, scratch, options.stream);
  }
  void subtract(const DeviceTerm& term) {
    const Mersenne61 factor = factor_of(term.scale, term.a.exponent + term.b.exponent - exponent);
    const DeviceVector by_k = take(scratch, cols_of(term.a.matrix));
    add_up(std::array{of(transposed(term.b), x, {1})}, by_k, options.stream);
    shares.push_back(of(term.a, by_k, -factor));
  }
  Look run(std::uint64_t stream) {
    const WholeOnDevice c{claim.name, claim.c, exponent};
    Tally* const of_c = look.tallies + inputs_of(claim);
    fill_random(x, options.seed, stream, options.stream);
    shares.push_back(share_of({.m = c, .x = x, .tally = of_c, .is_output = true, .marks = look.marks}, {1}, scratch,
                              options.stream));
    for (const DeviceTerm& term : claim.terms) subtract(term);
    for (const WholeOnDevice& addend : claim.addends)
      shares.push_back(of(addend, x, -factor_of(1, addend.exponent - exponent)));
    mark_nonzero(shares, rows_of(claim.c), look.marks, &of_c[1].misfits, options.stream);
    return look;
  }
};

std::vector<Index> first_marked(const unsigned char* marks, Index count, const DeviceFreivaldsOptions& options) {
  std::vector<Index> lines;
  const std::vector<unsigned char> all = read_back(marks, count, options.stream);
  for (Index i = 0; i < count && std::ssize(lines) < options.most; ++i)
    if (all[static_cast<std::size_t>(i)] != 0) lines.push_back(i);
  return lines;
}

void find_columns(const DeviceClaim& claim, const DeviceFreivaldsOptions& options, Scratch& scratch,
                  DeviceFindings& findings) {
  const DeviceClaim turned = transposed(claim);
  const Look look = Looking{turned, options, scratch}.run(of_rows);
  const std::vector<Tally> tallies = read_back(look.tallies, inputs_of(claim) + 2, options.stream);
  findings.wrong_cols = static_cast<Index>(tallies.back().misfits);
  findings.cols = first_marked(look.marks, cols_of(claim.c), options);
}

}  // namespace

DeviceFindings freivalds_on_device(const DeviceClaim& claim, const DeviceFreivaldsOptions& options, Scratch& scratch) {
  expect_claim(claim);
  scratch.reset();
  const Look look = Looking{claim, options, scratch}.run(of_columns);
  const std::vector<Tally> tallies = read_back(look.tallies, inputs_of(claim) + 2, options.stream);
  expect_exact(claim, {tallies.begin(), tallies.end() - 2});
  DeviceFindings findings;
  findings.wrong_rows = static_cast<Index>(tallies.back().misfits);
  findings.misfits = static_cast<Index>(tallies[tallies.size() - 2].misfits);
  if (findings.agrees()) return findings;
  findings.rows = first_marked(look.marks, rows_of(claim.c), options);
  find_columns(claim, options, scratch, findings);
  return findings;
}

DeviceFindings freivalds_on_device(const DeviceClaim& claim, const DeviceFreivaldsOptions& options) {
  Scratch scratch;
  return freivalds_on_device(claim, options, scratch);
}

}  // namespace lockstep
