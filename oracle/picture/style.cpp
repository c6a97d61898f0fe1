#include "oracle/picture/style.h"

namespace lockstep {

std::string_view svg_style() {
  return R"(:root{color-scheme:light dark;--page:#fff;--panel:#f5f6f8;--band:#eaedf1;--ink:#1b2026;--soft:#59636e;
--line:#ccd2d9;--edge:#7b8692;--wrong:#b42318;--onwrong:#f6c9c3;--nan:#6d3bb0;--onnan:#dccbf3;
--gemm:#2f64a3;--move:#1f756e;--reduce:#8f5c12;--other:#66707c;--onbar:#fff;--wait:#dde2e8}
@media(prefers-color-scheme:dark){:root{--page:#14171b;--panel:#1c2127;--band:#272d35;--ink:#e6e9ed;--soft:#a2acb7;
--line:#3a434d;--edge:#8893a0;--wrong:#ff8a7d;--onwrong:#6e1f17;--nan:#c7a4ff;--onnan:#4a2b7a;
--gemm:#79aee8;--move:#62c4b9;--reduce:#dfb067;--other:#98a2ae;--onbar:#11151a;--wait:#323a44}}
svg{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--ink)}
svg .soft{fill:var(--soft)}svg .strong{font-weight:600}svg .end{text-anchor:end}svg .mid{text-anchor:middle}
svg .small{font-size:10px}svg .tile{fill:var(--panel)}svg .tile.odd{fill:var(--band)}
svg .mesh{stroke:var(--line);stroke-width:.5;fill:none}svg .frame{stroke:var(--edge);fill:none}
svg .halo{paint-order:stroke;stroke:var(--page);stroke-width:4px;stroke-linejoin:round}
svg .under{stroke:var(--page);stroke-width:4;opacity:.75;fill:none}
svg .chunk{stroke:var(--ink);stroke-width:1;stroke-dasharray:3 3;fill:none}
svg .rank{stroke:var(--ink);stroke-width:1.5;fill:none}svg .group{stroke:var(--ink);stroke-width:4;fill:none}
svg .wrong{fill:url(#hatch);stroke:var(--wrong)}svg .nan{fill:url(#rings);stroke:var(--nan)}
svg .axis{stroke:var(--edge);fill:none}svg .rule{stroke:var(--line);fill:none}
svg .guide{stroke:var(--soft);stroke-dasharray:5 4;fill:none}
svg .dot{fill:var(--wrong);fill-opacity:.75;stroke:var(--wrong)}svg .right{fill:var(--other)}
svg .gemm{fill:var(--gemm)}svg .move{fill:var(--move)}svg .reduce{fill:var(--reduce)}svg .other{fill:var(--other)}
svg .wait{fill:var(--wait)}svg .blocked{fill:url(#hatch);stroke:var(--wrong)}
svg .in{fill:var(--onbar);font-size:11px;pointer-events:none}
svg .signal{stroke:var(--soft);stroke-width:1;fill:none;opacity:.7}svg .tick{stroke:var(--edge);stroke-width:1.5}
svg .flag{fill:var(--wrong);font-weight:600}svg .outline{fill:none;stroke:var(--wrong);stroke-width:2.5}
svg .race{stroke:var(--wrong);stroke-width:2;stroke-dasharray:6 3;fill:none})";
}

std::string_view page_style() {
  return R"(*{box-sizing:border-box}html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:1120px;margin:0 auto;padding:28px 24px 56px}
header p{margin:.5em 0 0;max-width:75ch;overflow-wrap:anywhere}
h1{font-size:22px;line-height:1.3;margin:0;overflow-wrap:anywhere}
h2{font-size:16px;margin:36px 0 4px}h3{font-size:14px;margin:20px 0 4px;font-weight:600}
.tag{display:inline-block;font-size:13px;font-weight:600;border:1.5px solid;border-radius:4px;padding:1px 8px;
margin:0 8px 8px 0}.tag.bad{color:var(--wrong)}.tag.good{color:var(--move)}.tag.plain{color:var(--soft)}
.soft,figcaption,.key{color:var(--soft);font-size:13px}
figcaption{margin:2px 0 8px;max-width:90ch}figure{margin:0 0 20px}
.box{overflow-x:auto;border:1px solid var(--line);border-radius:6px;padding:12px;background:var(--page)}
.box{width:fit-content;max-width:100%}.box svg{display:block}.fit svg{max-width:100%;height:auto}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,430px),1fr));gap:20px}
.lanes{display:flex;padding:12px 0}.stay{flex:none;position:sticky;left:0;background:var(--page);z-index:1;
border-right:1px solid var(--line);padding-left:12px}.run{padding:0 12px 0 0}
code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--panel);border:1px solid var(--line);border-radius:6px;
padding:8px 12px;margin:4px 0 12px}code{overflow-wrap:anywhere}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:14px}
th{text-align:left;font-weight:600;color:var(--soft);font-size:13px}
th,td{padding:3px 16px 3px 0;border-bottom:1px solid var(--line);white-space:nowrap}td.n,th.n{text-align:right}
.key{display:flex;flex-wrap:wrap;gap:4px 18px;margin:8px 0 0;padding:0;list-style:none}
.key svg{vertical-align:-3px;margin-right:6px}
ul.left{padding-left:18px}
@media(max-width:640px){main{padding:18px 14px 40px}h1{font-size:19px}.stay{width:66px;overflow:hidden})"
         R"(.stay .lane{display:none}}
@media print{.box{overflow:visible}})";
}

}  // namespace lockstep
