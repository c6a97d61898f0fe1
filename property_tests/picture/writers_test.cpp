#include "oracle/picture/html.h"
#include "oracle/picture/picture_of.h"
#include "oracle/picture/sentences.h"
#include "oracle/picture/svg.h"
#include "oracle/picture/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <regex>
#include <sstream>

namespace lockstep {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* line = "op=gemm_rs tp=3 splits=3 tokens=9 in=8 out=12 fault=bias_not_advanced";

Index count(const std::string& text, const std::string& what) {
  Index found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

// The marks of the page are those of the data.
TEST(PictureHtml, HasTheWrongCellsOfThePicture) {
  const Picture picture = picture_of(parse_case(line));
  const std::string html = html_of(picture);
  ASSERT_FALSE(picture.grids.empty());
  Index cells = 0;
  for (const Grid& grid : picture.grids) {
    cells += std::ssize(grid.cells);
    for (const GridCell& cell : grid.cells)
      EXPECT_THAT(html, HasSubstr("data-row=\"" + std::to_string(grid.row_edges[static_cast<std::size_t>(cell.row)]) +
                                  "\" data-col=\"" +
                                  std::to_string(grid.col_edges[static_cast<std::size_t>(cell.col)]) + "\""));
  }
  EXPECT_GT(cells, 0);
  EXPECT_EQ(count(html, "data-count="), cells);
  EXPECT_EQ(count(html, "data-mark=\"guilty\""), 1);
}

TEST(PictureHtml, FetchesNothingAndRunsNoScript) {
  std::string html = html_of(picture_of(parse_case(line)));
  EXPECT_EQ(count(html, "<script"), 0);
  EXPECT_EQ(count(html, "http:") + count(html, "https:"), count(html, "xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_EQ(count(html, "@import") + count(html, "src="), 0);
}

// What a report says is data, whatever stands in it.
TEST(PictureHtml, HostileWordsStayWords) {
  Picture picture = picture_of(parse_case(line));
  const std::string hostile = "</pre><script>alert('x')</script>&\"'\x01";
  picture.case_line = picture.finding = picture.why = picture.guilty = picture.outcome = picture.judge = hostile;
  picture.readings = picture.not_shown = {hostile};
  picture.commands = {{hostile, hostile}};
  picture.grids.front().output = picture.grids.front().cells.front().first.output = hostile;
  picture.first.front().output = picture.scatter->output = hostile;
  for (Bar& bar : picture.timeline->bars) bar.details = hostile;
  for (Lane& lane : picture.timeline->lanes) lane.name = hostile;
  const std::string html = html_of(picture);
  EXPECT_EQ(count(html, "<script"), 0);
  EXPECT_EQ(count(html, "alert('x')"), 0);
  EXPECT_EQ(count(html, "\x01"), 0);
  EXPECT_GT(count(html, "&lt;script&gt;"), 10);
}

RC_GTEST_PROP(PictureSvg, EscapedTextHasNoMarkup, ()) {
  const std::string safe = escaped(*rc::gen::string<std::string>());
  for (char c : safe) RC_ASSERT(c != '<' && c != '>' && c != '"' && c != '\'');
  RC_ASSERT(std::regex_replace(safe, std::regex("&(lt|gt|amp|quot|#39);"), "").find('&') == std::string::npos);
}

TEST(PictureHtml, StaysSmallWhereTheOutputIsLargeOrRanksAreMany) {
  for (const char* large : {"op=gemm_rs tp=4 tokens=120 in=4 out=300 splits=4 fault=bias_not_advanced",
                            "op=gemm_rs tp=2 world=576 tokens=4 in=4 out=4 fault=bias_not_advanced"})
    EXPECT_LT(html_of(picture_of(parse_case(large))).size(), 1'000'000u) << large;
}

// Of several outputs together, whatever each of them alone may have.
TEST(PictureHtml, HasNoMoreWrongCellsThanTheLimit) {
  const Picture picture =
      picture_of(parse_case("op=row_linear pass=both tp=3 tokens=60 in=30 out=70 fault=rank_missing ; tokens=50"));
  Index cells = 0;
  for (const Grid& grid : picture.grids) cells += std::ssize(grid.cells);
  EXPECT_GT(std::ssize(picture.grids), 1);
  EXPECT_LE(cells, GridLimit{}.wrong);
  EXPECT_EQ(picture.grids.front().output, "y");
}

TEST(PictureHtml, NightlyOfALargeCaseItSaysWhereAndNotWhy) {
  const Picture picture = picture_of(parse_case("op=gemm_rs tp=2 tokens=2500 in=2 out=2000 fault=bias_not_advanced"));
  EXPECT_THAT(picture.why, testing::StartsWith("wrong: call 0, y, split 1 of 2"));
  EXPECT_THAT(picture.not_shown, testing::Contains(HasSubstr("too large to try every fault")));
}

TEST(PictureHtml, OfAHangEveryWaitThatNeverEndsSaysSo) {
  const Picture picture = picture_of(parse_case("op=gemm_rs tp=4 tokens=16 splits=4 fault=signal_lost"));
  const auto blocked = std::ranges::count(picture.timeline->bars, false, &Bar::ends);
  EXPECT_EQ(blocked, 3);
  EXPECT_EQ(count(html_of(picture), ">waits for ever<"), blocked);
}

TEST(PictureHtml, OneIsNoPlural) {
  const std::string html =
      html_of(picture_of(parse_case("op=gemm_rs tp=1 tokens=1 in=1 out=2 splits=2 fault=bias_not_advanced")));
  EXPECT_THAT(html, testing::AllOf(HasSubstr("1 row<"), HasSubstr("1 wrong element."), Not(HasSubstr("1 rows"))));
}

TEST(PictureHtml, OfALongFindingTheBeginningIsTheHeadline) {
  Picture picture{.case_line = "", .outcome = "hang", .judge = "hang", .finding = "the program hangs: "};
  picture.finding += std::string(300, 'x');
  EXPECT_EQ(headline(picture), "The program hangs");
  EXPECT_THAT(html_of(picture), HasSubstr("<p>" + std::string(300, 'x')));
  picture.finding = "2 of 4 elements differ: all";
  EXPECT_EQ(headline(picture), "2 of 4 elements differ: all");
  EXPECT_EQ(rest(picture), "");
}

TEST(PictureText, DrawsAMarkForEveryCellAndNoColourUnlessAsked) {
  const Picture picture = picture_of(parse_case(line), {.grid = text_grid, .timeline = {}, .as_it_ran = false});
  Picture grid_alone{.case_line = "", .outcome = "", .judge = "", .grids = picture.grids};
  const std::string text = text_of(grid_alone);
  Index marks = 0;
  std::istringstream lines(text);
  for (std::string row; std::getline(lines, row);)
    if (row.size() > 9 && row.find_first_not_of("rank 0123456789") >= 9) marks += count(row.substr(9), "x");
  EXPECT_EQ(marks, std::ssize(picture.grids.front().cells)) << text;
  EXPECT_THAT(text_of(picture), Not(HasSubstr("\033")));
  EXPECT_THAT(text_of(picture, {.width = 100, .colour = true}), HasSubstr("\033[1;31mx"));
}

TEST(PictureText, SaysWhatTheReportSays) {
  const Picture picture = picture_of(parse_case(line), {.grid = text_grid, .timeline = {}, .as_it_ran = false});
  const std::string text = text_of(picture);
  for (const std::string& words : {picture.case_line, picture.why, picture.guilty, print(picture.first.front())})
    EXPECT_THAT(text, HasSubstr(words));
  EXPECT_EQ(count(text, "|!"), 1) << text;
}

}  // namespace
}  // namespace lockstep
