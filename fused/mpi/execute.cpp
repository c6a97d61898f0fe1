// One execution of a program in a team. The leader orders it: the number of bytes, then the program with its case line;
// then it lays the memory out on every node, all do their shares, and the leader takes the memory back.
#include "fused/host/pause.h"
#include "fused/host/threads.h"
#include "fused/mpi/case_watch.h"
#include "fused/mpi/on_devices.h"
#include "fused/mpi/rounds.h"
#include "fused/mpi/share.h"
#include "fused/plan/bytes.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

using namespace std::chrono_literals;

struct Order {
  bool is_last = false;
  InTeam how{};
  std::size_t counters = 0, storage = 0;  // of the program
};

template <typename T>
void broadcast_one(const Communicator& comm, T& value) {
  broadcast(comm, std::as_writable_bytes(std::span(&value, 1)));
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Program program_of_text(const std::string& text) { return program_of_bytes(std::as_bytes(std::span(text))); }

// What a process that gave up says of itself; empty where none did. The first of them speaks for all.
std::string trouble_of_all(const Communicator& all, const std::string& own) {
  const Index first = least_of(all, own.empty() ? all.size() : all.rank());
  if (first == all.size()) return {};
  return fmt::format("process {} of {}: {}", first, all.size(), broadcast(all, own, first));
}

// What f throws, as a sentence.
template <typename F>
std::string trouble_in(const F& f) {
  try {
    return f(), std::string();
  } catch (const std::exception& error) {
    return *error.what() == 0 ? "an exception without a sentence" : error.what();
  }
}

struct Ended {
  Standing standing = Standing::finished;
  std::string trouble{};      // where it failed
  std::vector<bool> nodes{};  // that have ended here
};

// From here on every process goes the same way, whatever happens in one.
Ended do_share(TeamState& team, Share& share) {
  Rounds rounds(team.all);
  Ended ended;
  const auto& ready = share.ready();
  for (Pause pause(1ms);; pause()) {
    const std::size_t before = ready.ended();
    if (ended.trouble.empty()) ended.trouble = trouble_in([&] { share.go_on(); });
    if (const auto standing = rounds.look(ready.ended(), ready.left(), !ended.trouble.empty())) {
      ended.standing = *standing, ended.nodes = ready.ended_nodes();
      return ended;
    }
    if (ready.ended() != before) pause = Pause(1ms);
  }
}

void copy_to_nodes(TeamState& team, const Piece& piece, const Program& program, Memory& memory) {
  std::ranges::fill(piece.counters, program.counter_base);
  std::ranges::copy(memory.storage(), piece.storage.begin());
  for (Index node = 1; node < std::ssize(team.roots); ++node) {
    team.memory.put(node, std::as_bytes(piece.counters));
    team.memory.put(node, piece.storage);
    team.memory.flush(node);
  }
  team.memory.look();
}

// Every rank's buffers from its own node.
void copy_back(TeamState& team, const Piece& piece, const Program& program, Memory& memory) {
  const MemoryLayout layout = memory_layout(program);
  Memory here(program, piece.storage);
  for (const MemoryBlock& block : layout.blocks) {
    const Index node = team.node_of(block.rank);
    if (node != 0) team.memory.get(node, here.whole(block.call, block.buffer, block.rank));
  }
  for (Index node = 1; node < std::ssize(team.roots); ++node) team.memory.flush(node);
  team.memory.look();
  std::ranges::copy(piece.storage, memory.storage().begin());
}

// Which operations have ended in any process.
std::vector<bool> ended_anywhere(const Communicator& all, const std::vector<bool>& here) {
  std::vector<unsigned char> own(here.begin(), here.end()), any(here.size());
  MPI_Request request = MPI_REQUEST_NULL;
  expect(MPI_Iallreduce(own.data(), any.data(), static_cast<int>(own.size()), MPI_UNSIGNED_CHAR, MPI_MAX, all.get(),
                        &request),
         "MPI_Iallreduce");
  wait_for(request, "MPI_Iallreduce");
  return {any.begin(), any.end()};
}

// As it stands; of the counters, what lies in the memory of the leader's node.
Walked hang(const Program& program, const Piece& piece, const std::vector<bool>& ended) {
  Counters counters(program);
  const Graph graph = graph_of(program);
  for (std::size_t node = 0; node < ended.size(); ++node)
    if (const auto* signal = std::get_if<Signal>(&op_at(program, graph.steps[node]).body); signal && ended[node])
      counters.add(graph.steps[node], *signal);
  Walked walked = hang_of(program, graph, counters, ended);
  for (CounterState& state : walked.counters) state.value = piece.counters[counters.ids().at({state.name, state.rank})];
  return walked;
}

// `memory`: the leader's.
Walked execute(TeamState& team, const Order& order, const std::string& program_text, Memory* memory) {
  const Piece piece =
      piece_in(team.memory.at_least(bytes_of_piece(order.counters, order.storage)), order.counters, order.storage);
  Program program;
  std::optional<Share> share;
  std::string trouble = trouble_in([&] {
    program = program_of_text(program_text);
    if (memory) copy_to_nodes(team, piece, program, *memory);
    share.emplace(program, team, piece, order.how);
  });
  trouble = trouble_of_all(team.all, trouble);
  if (!trouble.empty()) throw DeviceError(trouble);
  const Ended ended = do_share(team, *share);
  if (ended.standing == Standing::failed) throw DeviceError(trouble_of_all(team.all, ended.trouble));
  team.memory.look();
  const bool is_stuck = ended.standing == Standing::stuck;
  const auto nodes = is_stuck ? ended_anywhere(team.all, ended.nodes) : std::vector<bool>{};
  if (memory) copy_back(team, piece, program, *memory);
  return is_stuck ? hang(program, piece, nodes) : Walked{};
}

// Every process has the whole memory, of which the devices take what lives there.
Walked execute_on_devices(TeamState& team, const Order& order, const Program& program, Memory& memory) {
  broadcast(team.all, memory.storage());
  return execute_on_devices(program, memory, team.all.get(),
                            {order.how.arithmetic == Arithmetic::hopper_fast, order.how.seed});
}

void serve_on_devices(TeamState& team, const Order& order, const std::string& program_text) {
  const Program program = program_of_text(program_text);
  Memory memory(program);
  execute_on_devices(team, order, program, memory);
}

}  // namespace

Walked execute_with(TeamState& team, const Program& program, Memory& memory, const InTeam& how) {
  Order order{false, how, Counters(program).count(), memory.storage().size()};
  broadcast_one(team.all, order);
  broadcast(team.all, team.case_line, 0);
  const std::string text = broadcast(team.all, text_of(bytes_of(program)), 0);
  return how.on_devices ? execute_on_devices(team, order, program, memory) : execute(team, order, text, &memory);
}

void serve(TeamState& team) {
  for (;;) {
    Order order;
    broadcast_one(team.all, order);
    if (order.is_last) return case_ends();
    team.case_line = broadcast(team.all, "", 0);
    case_begins(team.case_line);
    const std::string text = broadcast(team.all, "", 0);
    try {
      order.how.on_devices ? serve_on_devices(team, order, text) : void(execute(team, order, text, nullptr));
    } catch (const DeviceError&) {  // the leader throws the same, and says what is next
    }
    case_waits();
  }
}

void dismiss(TeamState& team) {
  Order last{.is_last = true};
  broadcast_one(team.all, last);
}

}  // namespace lockstep
