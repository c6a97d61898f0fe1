#include "fused/cuda/processes/execute.h"

#include "fused/cuda/processes/peer_memory.h"
#include "fused/cuda/processes/shared_counters.h"
#include "fused/cuda/processes/watch.h"
#include "fused/cuda/stream_memory.h"
#include "fused/host/ordered.h"
#include "fused/host/stood_still.h"

#include <memory>

namespace lockstep {
namespace {

Placement dealt(const Program& program, const Processes& processes) {
  Placement process_of;
  for (Index rank = 0; rank < program.calls.front().ranks; ++rank)
    process_of.push_back(static_cast<int>(rank % processes.size));
  return process_of;
}

// What each process knows by itself, and its device.
struct Here {
  const Program& program;
  Graph graph;
  std::vector<Step> order;
  Walked walked;
  QueueValues values;
  DeviceMemory memory;
  std::unique_lock<std::mutex> in_use;
  int number;

  Here(const Program& of, const Pick& pick, const Processes& processes)
      : program(of),
        graph(graph_of(of)),
        walked(ordered(of, pick, order)),
        values(queue_values(of, graph)),
        memory(of, dealt(of, processes)),
        in_use(devices().in_use),
        number(processes.rank % static_cast<int>(devices().all.size())) {
    if (!processes.share_a_node) throw DeviceError("processes on several nodes cannot map each other's device memory");
    device().make_current();
    expect_stream_memory(device().number());
  }

  Device& device() const { return devices().all[static_cast<std::size_t>(number)]; }
};

// The lanes of this process's ranks; what they have to themselves lies in the device's arena.
std::unique_ptr<DeviceLanes> lanes_of_process(Here& here, const Processes& processes, const PeerMemory& peers,
                                              const SharedCounters& counters, const LaneOptions& options) {
  std::vector<int> device_of = dealt(here.program, processes);
  for (int& device : device_of) device = device == processes.rank ? here.number : elsewhere;
  auto lanes = std::make_unique<DeviceLanes>(LaneWorld{here.program, here.graph, here.order, here.memory, counters},
                                             device_of, here.number, options);
  lanes->place_on(here.number, here.device().arena(lanes->bytes_on(here.number)));
  for (int process = 0; process < processes.size; ++process) here.memory.begins_at(process, peers.of(process));
  return lanes;
}

// Asks now and then, so that processes on few cores do not keep each other from theirs.
void await_end(cudaStream_t stream) {
  cudaError_t status = cudaSuccess;
  while ((status = cudaStreamQuery(stream)) == cudaErrorNotReady) {
    cudaGetLastError();  // it is no error, but would be told as one of what comes next
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  require(status, "running a program on the device");
}

void run(DeviceLanes& lanes, const SharedCounters& counters, std::chrono::milliseconds limit) {
  const Watch watch(counters, limit);
  try {
    lanes.enqueue_all(everything);
    await_end(lanes.root());
  } catch (...) {
    counters.stop();
    lanes.settle();
    throw;
  }
}

void gather(Memory& memory, const Here& here, const Processes& processes) {
  for (int process = 0; process < processes.size; ++process) {
    std::vector<std::byte> image(static_cast<std::size_t>(here.memory.bytes_on(process)));
    agreed(processes, [&] {
      if (process == processes.rank) image = here.memory.image_of(process);
    });
    broadcast(processes, image, process);
    here.memory.copy_out(memory, image.data(), process);
  }
}

}  // namespace

Walked execute_in_processes(const Program& program, const Pick& pick, Memory& memory, const Processes& processes,
                            const ProcessOptions& options) {
  std::optional<Here> here;
  agreed(processes, [&] { here.emplace(program, pick, processes); });
  const SharedCounters counters(processes, here->graph, here->values);
  const PeerMemory peers(processes, here->memory.bytes_on(processes.rank));
  std::unique_ptr<DeviceLanes> lanes;
  agreed(processes, [&] {
    lanes = lanes_of_process(*here, processes, peers, counters, options);
    here->memory.upload(memory, processes.rank);
  });
  agreed(processes, [&] { run(*lanes, counters, options.limit); });
  if (counters.is_stopped()) return stood_still(program, here->graph, here->values, counters.held_when_stopped());
  gather(memory, *here, processes);
  return here->walked;
}

}  // namespace lockstep
