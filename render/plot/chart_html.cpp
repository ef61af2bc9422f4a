// A chart in one HTML file. The script is written by hand and short: a charting library would be a
// hundred times its size and would draw the panels in another way than the SVG and PNG files.
#include <charconv>

#include "tenon/render/plot/chart.h"
#include "tenon/render/plot/thin_out.h"

namespace tenon::plot {
namespace {

constexpr size_t kColumns = 3000;

std::string number(double value) {
  char buffer[32];
  return {buffer,
          std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 7).ptr};
}

// In a script: neither quotes nor "</script>" end it early.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out + "\"";
}

std::string series_data(const Series& series, const Figure& figure, size_t k) {
  std::string t, y;
  for (const auto& line : thin_out(*series.times, series.values, figure.from, figure.to, kColumns))
    for (const Point& p : line) {
      t += (t.empty() ? "" : ",") + number(p.x);
      y += (y.empty() ? "" : ",") + number(p.y);
    }
  return "{name:" + quoted(series.name) + ",ink:" + quoted(hex(series_ink(k))) + ",t:[" + t +
         "],y:[" + y + "]}";
}

std::string data(const Figure& figure, const Chart& chart) {
  std::string text = "{from:" + number(figure.from) + ",to:" + number(figure.to) + ",panels:[\n";
  for (size_t i = 0; i < figure.panels.size(); ++i) {
    const PanelPlace& place = chart.panels[i];
    text += "{left:" + number(place.left) + ",right:" + number(place.right) +
            ",top:" + number(place.top) + ",bottom:" + number(place.bottom) +
            ",unit:" + quoted(figure.panels[i].unit) + ",series:[";
    for (size_t k = 0; k < figure.panels[i].series.size(); ++k)
      text += (k > 0 ? ",\n" : "") + series_data(figure.panels[i].series[k], figure, k);
    text += "]},\n";
  }
  text += "],marks:[";
  for (const Mark& mark : figure.marks)
    if (!mark.minor) text += "{t:" + number(mark.time) + ",text:" + quoted(mark.text) + "},";
  return text + "]}";
}

constexpr const char* kStyle = R"css(
body { margin: 0; padding: 12px; background: #f3f4f6; font: 13px/1.4 Helvetica, Arial,
  'Liberation Sans', sans-serif; color: #222830; }
main { position: relative; width: max-content; max-width: 100%; margin: auto; background: #fff;
  box-shadow: 0 1px 6px #0003; }
svg { display: block; max-width: 100%; height: auto; touch-action: pan-y; outline-offset: 2px; }
#cursor { stroke: #222830; stroke-opacity: .55; pointer-events: none; }
#box { position: absolute; pointer-events: none; display: none; background: #fffffff2; padding: 6px 9px;
  border: 1px solid #b8bec6; border-radius: 4px; white-space: nowrap; font-variant-numeric: tabular-nums;
  font-size: 12px; z-index: 1; }
#box i { display: inline-block; width: 10px; height: 3px; margin-right: 6px; vertical-align: middle; }
#box td:last-child { text-align: right; padding-left: 14px; }
#box table { border-spacing: 0; }
p { text-align: center; color: #6e7680; margin: 8px; }
@media print { body { background: #fff; padding: 0 } main { box-shadow: none } p { display: none } }
)css";

constexpr const char* kScript = R"js(
'use strict';
const svg = document.querySelector('main svg'), box = document.getElementById('box');
svg.tabIndex = 0;
const make = name => document.createElementNS('http://www.w3.org/2000/svg', name);
const cursor = make('path'), dots = make('g');
cursor.id = 'cursor';
svg.append(cursor, dots);
let now = null;
// place of the sample nearest to t; times are ascending
function nearest(times, t) {
  let lo = 0, hi = times.length - 1;
  while (hi - lo > 1) { const m = (lo + hi) >> 1; if (times[m] <= t) lo = m; else hi = m; }
  return hi > 0 && t - times[lo] > times[hi] - t ? hi : lo;
}
const show = v => v === 0 ? '0' : Math.abs(v) >= 1e5 || Math.abs(v) < 1e-3 ? v.toExponential(4)
  : v.toPrecision(6);
function point(t, pixel) {
  now = t = Math.min(Math.max(t, data.from), data.to);
  const view = svg.viewBox.baseVal, scale = svg.clientWidth / view.width;
  const p0 = data.panels[0], x = p0.left + (p0.right - p0.left) * (t - data.from) / ((data.to - data.from) || 1);
  cursor.setAttribute('d', data.panels.map(p => `M${x} ${p.top}V${p.bottom}`).join(''));
  const panel = data.panels.find(p => pixel < p.bottom + 20) || data.panels[data.panels.length - 1];
  const table = document.createElement('table');
  const row = (...cells) => { const r = table.insertRow(); for (const c of cells) r.insertCell().append(c); };
  row('t', show(t) + ' s');
  for (const s of panel.series) {
    if (!s.t.length) continue;
    const k = nearest(s.t, t), mark = document.createElement('i'), name = document.createElement('span');
    mark.style.background = s.ink;
    name.append(mark, s.name);
    row(name, show(s.y[k]) + ' ' + panel.unit);
  }
  for (const m of data.marks)
    if (Math.abs(m.t - t) < 0.004 * (data.to - data.from)) row(m.text, show(m.t) + ' s');
  box.replaceChildren(table);
  box.style.display = 'block';
  const left = x * scale + 14;
  box.style.left = (left + box.offsetWidth > svg.clientWidth ? x * scale - box.offsetWidth - 14 : left) + 'px';
  box.style.top = Math.max(panel.top * scale + 8, 0) + 'px';
  return panel;
}
function hide() { box.style.display = 'none'; cursor.removeAttribute('d'); now = null; }
let height = 0;
svg.addEventListener('pointermove', e => {
  const r = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / r.width, p0 = data.panels[0];
  const x = (e.clientX - r.left) * scale;
  height = (e.clientY - r.top) * scale;
  if (x < p0.left - 8 || x > p0.right + 8) return hide();
  point(data.from + (data.to - data.from) * (x - p0.left) / (p0.right - p0.left), height);
});
svg.addEventListener('pointerleave', hide);
svg.addEventListener('keydown', e => {
  const step = (data.to - data.from) / (e.shiftKey ? 20 : 400);
  const at = now === null ? data.from : now;
  if (e.key === 'ArrowLeft') point(at - step, height);
  else if (e.key === 'ArrowRight') point(at + step, height);
  else if (e.key === 'Escape') hide();
  else return;
  e.preventDefault();
});
)js";

}  // namespace

std::string to_html(const Figure& figure, const Chart& chart) {
  return "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\">\n<title>" +
         escape(figure.title) + "</title>\n<style>" + kStyle + "</style>\n<main>\n" +
         to_svg(chart.drawing) +
         "<div id=\"box\"></div>\n</main>\n<p>Point at a curve for its numbers; arrow keys move by "
         "1/400 of the time shown, with Shift by 1/20.</p>\n<script>\nconst data = " +
         data(figure, chart) + ";" + kScript + "</script>\n</html>\n";
}

}  // namespace tenon::plot
