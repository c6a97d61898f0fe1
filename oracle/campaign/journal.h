// The journal of a campaign: what it judges (the header), then records (journal_record.h) as cases begin and end, each
// a line that is written at once, so that whenever the campaign is killed every line but perhaps the last is whole.
//
// The processes of a job write to one file, whose end the system finds for each line (O_APPEND); so between nodes it is
// to be on a file system that keeps lines whole, as NFS does not.
//
// Read again it says what is done, and what was begun and has not ended. A last line that is torn is cut off.
#pragma once

#include "oracle/campaign/journal_record.h"

#include <map>
#include <mutex>

namespace lockstep {

// What the words of a campaign were; by them it is the same again.
struct JournalHeader {
  std::vector<std::string> cases;  // given
  Index random_cases = 0;
  std::uint64_t seed = 0;
  std::map<std::string, std::string> keys;  // set in every case
  bool keep_going = false;
  double max_blind = 0;
  bool operator==(const JournalHeader&) const = default;
};

struct JournalContents {
  JournalHeader header;
  std::map<Index, CaseResult> done;
  std::map<Index, Case> unfinished;   // the last that was begun of each number
  std::map<Index, Index> begun;       // of those: in how many runs
  std::map<Index, Case> first_begun;  // of each number
  Index runs = 1;                     // it was gone on with one time less
  std::map<Index, Index> last_run;    // in which each number was begun
  std::size_t whole_bytes = 0;        // up to the end of the last whole line
};

// Refuses a file that is no journal.
JournalContents read_journal(const std::string& path);

class Journal {
 public:
  // A new file; refuses one that is there and not empty.
  Journal(const std::string& path, const JournalHeader& header);
  // Goes on with what has been read.
  Journal(const std::string& path, const JournalContents& contents);
  // Beside the one that another process of the same campaign has opened.
  explicit Journal(const std::string& path);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // From any thread. Throws a DeviceError where it cannot be written: the campaign must not go on unrecorded.
  void add(const Record& record);

 private:
  void write(const std::string& line);
  void expect_alone(const char* flag);
  std::string path_;
  int file_ = -1;
  bool is_torn_ = false;
  std::mutex one_at_a_time_;
};

}  // namespace lockstep
