#include "oracle/campaign/journal.h"

#include "reference/contract/device_error.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

using nlohmann::json;

constexpr std::uint64_t version = 1;
constexpr std::string_view goes_on = R"({"resumed": true})";

std::string line_of(const JournalHeader& header) {
  return json{{"journal", version},           {"cases", header.cases}, {"random_cases", header.random_cases},
              {"seed", header.seed},          {"keys", header.keys},   {"keep_going", header.keep_going},
              {"max_blind", header.max_blind}}
             .dump() +
         "\n";
}

[[noreturn]] void refuse_header(const std::string& path) {
  refuse("{} is no journal: its first line is not that of one", in_quotes(path));
}

JournalHeader header_of(const std::string& path, const std::string& line) try {
  const json read = json::parse(line);
  if (const std::uint64_t its = natural_number(read.at("journal")); its != version)
    refuse("{}: a journal of version {}, this is {}", in_quotes(path), its, version);
  const JournalHeader header{read.at("cases").get<std::vector<std::string>>(),
                             natural_index(read.at("random_cases")),
                             natural_number(read.at("seed")),
                             read.at("keys").get<std::map<std::string, std::string>>(),
                             read.at("keep_going").get<bool>(),
                             read.at("max_blind").get<double>()};
  if (header.random_cases > max_random_cases) throw std::out_of_range("more cases than a campaign can have");
  if (line_of(header) != read.dump() + "\n") throw std::out_of_range("it would be written otherwise");
  return header;
} catch (const json::exception&) {
  refuse_header(path);
} catch (const std::out_of_range&) {
  refuse_header(path);
}

// A reader that goes away and a limit of the file's size are sentences like a full disk.
void no_signals_of_writing() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

std::string message() { return std::generic_category().message(errno); }

void take(JournalContents& all, const Record& record) {
  all.first_begun.emplace(record.number, record.a_case);
  if (record.result) {
    all.done.insert_or_assign(record.number, *record.result);
    all.unfinished.erase(record.number);
    all.begun.erase(record.number);
  } else if (!all.done.contains(record.number)) {
    all.unfinished.insert_or_assign(record.number, record.a_case);
    if (std::exchange(all.last_run[record.number], all.runs) != all.runs) ++all.begun[record.number];
  }
}

}  // namespace

JournalContents read_journal(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) refuse("{} is no regular file", in_quotes(path));
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse("{} cannot be read: {}", in_quotes(path), message());
  JournalContents all;
  std::string line;
  for (Index number = 1; std::getline(file, line) && !file.eof(); ++number) {  // what ends without a newline is torn
    if (number == 1)
      all.header = header_of(path, line);
    else if (line == goes_on)
      ++all.runs;
    else
      try {
        take(all, record_of(line));
      } catch (const Refusal& refusal) {
        refuse("{}, line {}: {}", in_quotes(path), number, refusal.what());
      }
    all.whole_bytes += line.size() + 1;
  }
  if (all.whole_bytes == 0) refuse("{} is no journal: it has no whole line", in_quotes(path));
  return all;
}

Journal::Journal(const std::string& path, const JournalHeader& header) : path_(path) {
  file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) refuse("--journal {}: it cannot be written: {}", in_quotes(path), message());
  struct stat status;
  if (fstat(file_, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
    refuse("--journal {}: the file is there already; --resume goes on with it", in_quotes(path));
  expect_alone("--journal");
  write(line_of(header));
}

void Journal::expect_alone(const char* flag) {
  if (flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    refuse("{} {}: another campaign writes to it", flag, in_quotes(path_));
}

Journal::Journal(const std::string& path, const JournalContents& contents) : path_(path) {
  file_ = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file_ < 0) refuse("--resume {}: it cannot be written: {}", in_quotes(path), message());
  if (ftruncate(file_, static_cast<off_t>(contents.whole_bytes)) != 0)
    refuse("--resume {}: its torn last line cannot be cut off: {}", in_quotes(path), message());
  expect_alone("--resume");
  write(std::string(goes_on) + "\n");
}

Journal::Journal(const std::string& path) : path_(path) {
  file_ = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file_ < 0) refuse("the journal {} cannot be written by all processes of the job: {}", in_quotes(path), message());
}

Journal::~Journal() {
  if (file_ >= 0) close(file_);
}

void Journal::add(const Record& record) { write(lockstep::line_of(record)); }

// What is written in part, as on a full disk, is a torn line.
void Journal::write(const std::string& line) {
  const std::lock_guard lock(one_at_a_time_);
  no_signals_of_writing();
  if (is_torn_) throw DeviceError(fmt::format("the journal {} ends in a torn line", in_quotes(path_)));
  ssize_t written = 0;
  do written = ::write(file_, line.data(), line.size());
  while (written < 0 && errno == EINTR);
  if (written == static_cast<ssize_t>(line.size())) return;
  const std::string why = written < 0 ? message() : "the disk is full";
  is_torn_ = true;
  throw DeviceError(fmt::format("the journal {} cannot be written ({}), so the campaign ends here, at {}",
                                in_quotes(path_), why, line.substr(0, line.size() - 1)));
}

}  // namespace lockstep
