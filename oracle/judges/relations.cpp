#include "oracle/judges/relations.h"

#include "fused/plan/malformed.h"
#include "oracle/judges/observe.h"
#include "oracle/judges/relations/outputs.h"
#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

// Runs cases, and remembers what kept one from ending.
struct Runner {
  const ProgramOf& program_of;
  std::string trouble{};

  Outputs operator()(const Asked& asked) {
    const Program program = program_of(asked.a_case);
    const Outputs unwritten = unwritten_outputs(asked.a_case);
    for (const Plan& plan : program.calls)
      if (const auto finding = malformed(plan)) return trouble = *finding, unwritten;
    Observed observed =
        observe(program, asked.inputs, unwritten, asked.a_case.first().executor, asked.a_case.first().arithmetic);
    if (!observed.walked.finished) trouble = "the program hangs";
    return std::move(observed.outputs);
  }
};

Comparison compared(const Related& related) {
  Comparison comparison;
  for (std::size_t call = 0; call < related.want.size(); ++call)
    for (const auto& [name, want] : related.want[call])
      for (std::size_t rank = 0; rank < want.size(); ++rank)
        compare(comparison, related.a_case.calls[call], static_cast<Index>(call), static_cast<Index>(rank), name,
                related.got[call].at(name)[rank], want[rank]);
  return comparison;
}

}  // namespace

const std::vector<Relation>& all_relations() {
  static const std::vector<Relation> all{
      scale_relation(),     negate_relation(),         permute_tokens_relation(), permute_features_relation(),
      duplicate_relation(), exchange_ranks_relation(), splits_relation(),         aggregate_relation(),
      frozen_relation(),    second_call_relation(),    fresh_call_relation(),     margin_relation(),
      history_relation(),   main_grad_relation(),      adjoint_relation()};
  return all;
}

std::vector<std::string_view> relations_of(const Case& a_case) {
  std::vector<std::string_view> names;
  for (const Relation& relation : all_relations())
    if (relation.applies(a_case)) names.push_back(relation.name);
  return names;
}

Given given(const Case& a_case, const std::vector<NamedTensors>& inputs, const ProgramOf& program_of) {
  Runner run{program_of};
  Given as_it_is{{a_case, inputs}, {}};
  as_it_is.outputs = run(as_it_is.asked);
  CHECK(run.trouble.empty(), "a case whose own program does not end");
  return as_it_is;
}

RelationFinding checked(const Relation& relation, const Given& given, const ProgramOf& program_of) {
  Runner run{program_of};
  RelationFinding finding{std::string(relation.name), "", compared(relation.related(given, std::ref(run))), 1};
  const Comparison& c = finding.comparison;
  if (!run.trouble.empty())
    finding.sentence = fmt::format("{}, yet of the changed case {}", relation.says, run.trouble);
  else if (c.differing > 0)
    finding.sentence = fmt::format("{}, yet {} of {} elements differ", relation.says, c.differing, c.compared);
  return finding;
}

RelationFinding broken_relation(const Case& a_case, const std::vector<NamedTensors>& inputs,
                                const ProgramOf& program_of) {
  const Given as_it_is = given(a_case, inputs, program_of);
  RelationFinding all;
  for (const Relation& relation : all_relations()) {
    if (!relation.applies(a_case)) continue;
    RelationFinding finding = checked(relation, as_it_is, program_of);
    finding.relations = ++all.relations;
    finding.comparison.compared = all.comparison.compared += finding.comparison.compared;
    if (!finding.holds()) return finding;
  }
  return all;
}

}  // namespace lockstep
