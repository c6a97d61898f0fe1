// Reports in a headless Chromium, where there is one.
#include "property_tests/oracle/shell.h"
#include "property_tests/oracle/temporary_file.h"

#include "oracle/picture/html.h"
#include "oracle/picture/picture_of.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <regex>

namespace lockstep {
namespace {

using testing::HasSubstr;

bool has_browser() { return shell("command -v chromium").code == 0; }

class PictureBrowser : public testing::Test {
  void SetUp() override {
    if (!has_browser()) GTEST_SKIP() << "there is no chromium, with which to open a report";
  }
};

struct Opened {
  std::string dom, console;
};

Opened open(const std::string& html, int width) {
  const TemporaryFile page("");
  const std::string name = page.path + ".html";
  std::ofstream(name) << html;
  const Ended dom = shell(
      fmt::format("d=$(mktemp -d); timeout 120 chromium --headless --no-sandbox --disable-gpu --no-first-run "
                  "--disable-background-networking --disable-component-update --user-data-dir=$d --window-size={},900 "
                  "--enable-logging=stderr --dump-dom file://{} 2>{}; rm -rf $d {}",
                  width, name, page.path, name));
  return {dom.output, shell("grep -a CONSOLE " + page.path).output};
}

std::string without(const std::string& html, const std::string& pattern) {
  return std::regex_replace(html, std::regex(pattern), "");
}

// The page as it is, but for a script that says whether it is wider than its window.
std::string measured(const std::string& html) {
  const std::string page = without(html, "<meta http-equiv[^>]*>");
  const std::string at_end =
      "<script>document.documentElement.dataset.wider=document.documentElement.scrollWidth>innerWidth</script>";
  return page.substr(0, page.rfind("</body>")) + at_end + "</body></html>";
}

constexpr const char* line = "op=gemm_rs tp=4 splits=4 tokens=16 in=16 out=32 fault=bias_not_advanced";

TEST_F(PictureBrowser, ShowsTheWrongCellsAndSaysNothingOnItsConsole) {
  const Picture picture = picture_of(parse_case(line));
  const Opened opened = open(html_of(picture), 1280);
  EXPECT_EQ(opened.console, "");
  for (const Grid& grid : picture.grids) {
    EXPECT_THAT(opened.dom, HasSubstr(fmt::format("data-output=\"{}\" data-wrong=\"{}\"", grid.output, grid.wrong)));
    for (const GridCell& cell : grid.cells)
      EXPECT_THAT(opened.dom, HasSubstr(fmt::format("data-row=\"{}\" data-col=\"{}\" data-count=\"{}\"",
                                                    grid.row_edges[static_cast<std::size_t>(cell.row)],
                                                    grid.col_edges[static_cast<std::size_t>(cell.col)], cell.wrong)));
  }
}

// The browser itself refuses what a report would fetch, and says so.
TEST_F(PictureBrowser, SeesWhatAPageWouldFetch) {
  std::string html = html_of(picture_of(parse_case("tp=2")));
  html.insert(html.find("<main>"), "<img src=\"http://127.0.0.1:9/x.png\">");
  EXPECT_THAT(open(html, 1280).console, HasSubstr("Content Security Policy"));
}

TEST_F(PictureBrowser, NightlyNoPageIsWiderThanItsWindow) {
  for (const char* shown :
       {line, "op=gemm_rs tp=2 splits=2 fault=handback_missing", "op=gemm_rs tp=2 splits=2 fault=signal_lost",
        "op=column_linear pass=both tp=3 recipe=mxfp8", "op=gemm_rs tp=2 world=72 tokens=9 out=300 fault=rank_missing"})
    for (int width : {1280, 500}) {  // Chromium opens no narrower window
      const Opened opened = open(measured(html_of(picture_of(parse_case(shown)))), width);
      EXPECT_EQ(opened.console, "") << shown;
      EXPECT_THAT(opened.dom, HasSubstr("data-wider=\"false\"")) << shown << " at " << width;
    }
}

}  // namespace
}  // namespace lockstep
