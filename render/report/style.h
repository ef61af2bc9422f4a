// How the page of a run looks, on screen and on paper.
#pragma once

namespace tenon::report {

inline constexpr const char* kPageStyle = R"css(
body { max-width: 900px; margin: 24px auto; padding: 0 20px; color: #1c2733; background: #fff;
  font: 14px/1.45 Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif; }
h1 { font-size: 26px; margin: 0 0 6px; }
h2 { font-size: 17px; margin: 26px 0 8px; border-bottom: 1px solid #c4ccd4; padding-bottom: 3px; }
p { margin: 6px 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 400; color: #4a5663; }
th, td { padding: 3px 18px 3px 0; vertical-align: top; border-bottom: 1px solid #edf0f3; }
tr.head th { font-size: 12px; color: #6e7680; }
.strip { display: grid; grid-template-columns: repeat(3, 1fr); gap: 6px; margin: 14px 0; }
figure { margin: 0; }
img { width: 100%; display: block; }
figcaption { font-size: 12px; color: #6e7680; }
svg { max-width: 100%; height: auto; }
td.bar { width: 320px; position: relative; padding-right: 0; }
td.bar span { display: inline-block; height: 11px; background: #0072b2; min-width: 1px; max-width: 250px; vertical-align: middle; }
td.bar b { font-weight: 400; padding-left: 6px; font-size: 12px; }
pre { background: #f3f5f7; padding: 9px 12px; white-space: pre-wrap; overflow-wrap: anywhere; }
@media print { @page { margin: 16mm; } body { margin: 0; max-width: none; padding: 0; font-size: 11px; }
  figure, table, tr, pre { break-inside: avoid; } h2 { break-after: avoid; }
  td.bar span, pre { -webkit-print-color-adjust: exact; print-color-adjust: exact; } }
)css";

}  // namespace tenon::report
