#include "fused/cuda/device_counters.h"

#include "fused/cuda/align.h"
#include "reference/contract/cuda/status.h"

#include <utility>

namespace lockstep {
namespace {

Index room(std::size_t bytes) { return in_arena(static_cast<Index>(bytes)); }

}  // namespace

DeviceCounters::DeviceCounters(const Program& program, const Graph& graph, std::chrono::nanoseconds limit)
    : program_(program), graph_(graph), limit_(limit), counters_(program), records_of_(graph.steps.size()) {
  for (std::size_t n = 0; n < graph.steps.size(); ++n)
    if (std::holds_alternative<Wait>(op_at(program, graph.steps[n]).body)) records_of_[n] = waits_++;
}

Index DeviceCounters::bytes() const {
  return 4 * room(8 * counters_.count()) + room(waits_ * sizeof(WaitRecord)) + room(8);
}

void DeviceCounters::place(std::byte* at) {
  const std::size_t size = 8 * counters_.count();
  const auto take = [&at](std::size_t bytes) { return std::exchange(at, at + room(bytes)); };
  values_ = reinterpret_cast<std::uint64_t*>(take(size));
  bases_ = reinterpret_cast<std::uint64_t*>(take(size));
  totals_ = reinterpret_cast<std::uint64_t*>(take(size));
  found_ = reinterpret_cast<std::uint64_t*>(take(size));
  records_ = reinterpret_cast<WaitRecord*>(take(waits_ * sizeof(WaitRecord)));
  gave_up_at_ = reinterpret_cast<std::uint64_t*>(take(sizeof *gave_up_at_));
  const std::vector<std::uint64_t> start(counters_.count(), program_.counter_base);
  std::vector<Index> totals;
  for (std::size_t id = 0; id < counters_.count(); ++id) totals.push_back(counters_.total(id));
  require(cudaMemcpy(values_, start.data(), size, cudaMemcpyDefault), "setting the counters");
  require(cudaMemcpy(bases_, start.data(), size, cudaMemcpyDefault), "setting the counters");
  require(cudaMemcpy(totals_, totals.data(), size, cudaMemcpyDefault), "setting the counters");
  forget();
}

void DeviceCounters::forget() const {
  require(cudaMemset(records_, 0, waits_ * sizeof(WaitRecord)), "clearing what waits found");
  require(cudaMemset(gave_up_at_, 0, sizeof *gave_up_at_), "clearing what waits found");
  settle();
}

DeviceWait DeviceCounters::wait_of(const Step& step) const {
  const auto& wait = std::get<Wait>(op_at(program_, step).body);
  const Counter& counter = counter_at(program_, step, wait.counter);
  const std::size_t id = counters_.id(step, wait.counter);
  return {.counter = values_ + id,
          .base = bases_ + id,
          .beyond_base = static_cast<std::uint64_t>(counters_.base(step, wait.counter) + wait.value),
          .how = {static_cast<int>(counter.bits), counter.wraps},
          .limit_ns = static_cast<std::uint64_t>(limit_.count()),
          .record = records_ + records_of_[graph_.node_of(step)],
          .gave_up_at = gave_up_at_,
          .counters = values_,
          .found = found_,
          .count = static_cast<Index>(counters_.count())};
}

void DeviceCounters::enqueue_waits(cudaStream_t stream, std::span<const Step> waits) const {
  std::vector<DeviceWait> all;
  for (const Step& step : waits) all.push_back(wait_of(step));
  lockstep::enqueue_waits(stream, all);
}

void DeviceCounters::enqueue_signal(cudaStream_t stream, const Step& step) const {
  const auto& signal = std::get<Signal>(op_at(program_, step).body);
  lockstep::enqueue_signal(stream, values_ + counters_.id(step, signal.counter),
                           static_cast<std::uint64_t>(signal.add));
}

void DeviceCounters::enqueue_end(cudaStream_t stream) const {
  enqueue_advance(stream, bases_, totals_, static_cast<Index>(counters_.count()));
}

bool DeviceCounters::a_wait_gave_up() const {
  std::uint64_t when = 0;
  require(cudaMemcpy(&when, gave_up_at_, sizeof when, cudaMemcpyDefault), "reading what waits found");
  return when != 0;
}

Walked DeviceCounters::hang() const {
  std::vector<WaitRecord> records(waits_);
  std::vector<std::uint64_t> values(counters_.count());
  require(cudaMemcpy(records.data(), records_, waits_ * sizeof(WaitRecord), cudaMemcpyDefault),
          "reading what waits found");
  require(cudaMemcpy(values.data(), found_, 8 * values.size(), cudaMemcpyDefault), "reading the counters");
  Walked hung{false, {}, {}, std::vector<bool>(graph_.steps.size(), true)};
  for (std::size_t n = 0; n < graph_.steps.size(); ++n) {
    const auto* wait = std::get_if<Wait>(&op_at(program_, graph_.steps[n]).body);
    if (!wait || !records[records_of_[n]].gave_up) continue;
    const auto missing = static_cast<Index>(records[records_of_[n]].want - records[records_of_[n]].have);
    hung.ended[n] = false;
    hung.blocked.push_back({graph_.steps[n], wait->counter, wait->value - missing, wait->value});
  }
  for (const auto& [named, id] : counters_.ids()) hung.counters.push_back({named.first, named.second, values[id]});
  return hung;
}

}  // namespace lockstep
