#include "fused/cuda/capture.h"

namespace lockstep {

ExecutableGraph captured(cudaStream_t root, const std::function<void()>& enqueue) {
  require(cudaStreamBeginCapture(root, cudaStreamCaptureModeRelaxed), "beginning a capture");
  cudaGraph_t graph = nullptr;
  try {
    enqueue();
  } catch (...) {
    cudaStreamEndCapture(root, &graph);
    throw;
  }
  require(cudaStreamEndCapture(root, &graph), "ending a capture");
  const CapturedGraph owned(graph);
  cudaGraphExec_t executable = nullptr;
  require(cudaGraphInstantiate(&executable, graph, 0), "making a graph executable");
  return ExecutableGraph(executable);
}

}  // namespace lockstep
