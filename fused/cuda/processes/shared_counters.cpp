#include "fused/cuda/processes/shared_counters.h"

#include "fused/cuda/align.h"
#include "fused/cuda/stream_memory.h"

#include <atomic>

namespace lockstep {
namespace {

enum State : std::uint64_t { runs, is_being_stopped, stopped };
constexpr std::size_t first_counter = 16;  // in words: apart from the state

Index bytes_for(const QueueValues& values) {
  return up_to(static_cast<Index>(8 * (first_counter + 2 * values.counters)), 4096);
}

std::atomic_ref<std::uint64_t> shared(std::uint64_t* word) { return std::atomic_ref(*word); }

}  // namespace

SharedCounters::SharedCounters(const Processes& processes, const Graph& graph, const QueueValues& values)
    : graph_(graph), values_(values), window_(processes, bytes_for(values)) {
  agreed(processes, [&] {
    registered_.emplace(window_.data(), static_cast<std::size_t>(bytes_for(values)));
    if (processes.rank == 0)
      for (std::size_t id = 0; id < values.counters; ++id) shared(word(first_counter + id)).store(values.begin);
  });
}

std::uint64_t* SharedCounters::on_device(std::size_t node) const {
  return reinterpret_cast<std::uint64_t*>(registered_->on_device()) + first_counter + values_.counter[node];
}

void SharedCounters::enqueue_signal(cudaStream_t stream, const Step& step) const {
  const std::size_t node = graph_.node_of(step);
  enqueue_write(stream, on_device(node), values_.number[node]);
}

void SharedCounters::enqueue_waits(cudaStream_t stream, std::span<const Step> waits) const {
  for (const Step& step : waits) {
    const std::size_t node = graph_.node_of(step);
    enqueue_await(stream, on_device(node), values_.number[node]);
  }
}

std::vector<std::uint64_t> SharedCounters::words(std::size_t from) const {
  std::vector<std::uint64_t> all;
  for (std::size_t id = 0; id < values_.counters; ++id) all.push_back(shared(word(from + id)).load());
  return all;
}

std::vector<std::uint64_t> SharedCounters::held() const { return words(first_counter); }

std::vector<std::uint64_t> SharedCounters::held_when_stopped() const { return words(first_counter + values_.counters); }

void SharedCounters::stop() const {
  std::uint64_t expected = runs;
  if (!shared(word(0)).compare_exchange_strong(expected, is_being_stopped)) return;
  const auto now = held();
  for (std::size_t id = 0; id < now.size(); ++id) shared(word(first_counter + values_.counters + id)).store(now[id]);
  shared(word(0)).store(stopped);
}

bool SharedCounters::is_stopped() const { return shared(word(0)).load() == stopped; }

void SharedCounters::end_waits() const {
  for (std::size_t id = 0; id < values_.counters; ++id) shared(word(first_counter + id)).store(values_.beyond());
}

}  // namespace lockstep
