"""What a nightly run did, as lines, as JUnit's XML and as a page."""
import html
import os
import xml.etree.ElementTree as xml

LIGHT = {"passed": "✓", "failed": "✗", "skipped": "–", "cut": "…"}


def line(result):
    return f"{LIGHT[result.outcome]} {result.outcome:<8}{result.seconds:8.1f} s  {result.name}" + (
        f": {result.reason}" if result.reason else "")


def write_junit(path, results):
    suite = xml.Element("testsuite", name="l1", tests=str(len(results)),
                        failures=str(sum(r.outcome == "failed" for r in results)),
                        skipped=str(sum(r.outcome in ("skipped", "cut") for r in results)),
                        time=f"{sum(r.seconds for r in results):.1f}")
    for r in results:
        case = xml.SubElement(suite, "testcase", classname="l1", name=r.name, time=f"{r.seconds:.1f}")
        if r.outcome == "failed":
            xml.SubElement(case, "failure", message=r.reason).text = printable(r.tail)
        if r.outcome in ("skipped", "cut"):
            xml.SubElement(case, "skipped", message=r.reason)
    xml.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)


def printable(text):
    return "".join(c if c in "\n\t" or c >= " " else "?" for c in text)


PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Lockstep, nightly: {verdict}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }}
table {{ border-collapse: collapse; width: 100%; }}
td, th {{ text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #8884; vertical-align: top; }}
td.n {{ text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }}
.failed {{ font-weight: 600; color: light-dark(#a40000, #ff8a80); }}
.skipped, .cut {{ opacity: .7; }}
pre {{ overflow-x: auto; font-size: 12px; background: #8881; padding: .6rem; }}
</style>
<h1>Nightly: {verdict}</h1>
<p>{about}</p>
<table><tr><th>outcome</th><th>seconds</th><th>step</th></tr>
{rows}
</table></html>
"""


def row(result):
    said = f"<br>{html.escape(result.reason)}" if result.reason else ""
    if result.outcome == "failed":
        said += f"<details open><summary>the end of its log</summary><pre>{html.escape(printable(result.tail))}</pre></details>"
    return (f'<tr class="{result.outcome}"><td>{LIGHT[result.outcome]} {result.outcome}</td>'
            f'<td class="n">{result.seconds:.1f}</td><td>{html.escape(result.name)}{said}</td></tr>')


def write_page(path, verdict, about, results):
    rows = "\n".join(row(r) for r in results)
    with open(path, "w", encoding="utf-8") as page:
        page.write(PAGE.format(verdict=html.escape(verdict), about=html.escape(about), rows=rows))


def write_all(folder, verdict, about, results):
    write_junit(os.path.join(folder, "l1.xml"), results)
    write_page(os.path.join(folder, "summary.html"), verdict, about, results)
