// Drawings as SVG text.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "tenon/render/plot/drawing.h"
#include "tenon/render/plot/font.h"

namespace tenon::plot {
namespace {

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + value + "\"";
}

std::string path(const Polyline& line) {
  std::string d;
  for (const Point& p : line.points) {
    d += d.empty() ? "M" : "L";
    d += decimal(p.x, 2) + " " + decimal(p.y, 2);
  }
  std::string text = "<path" + attribute("d", d) + attribute("stroke", hex(line.ink)) +
                     attribute("stroke-width", decimal(line.width, 2));
  if (line.dash > 0) text += attribute("stroke-dasharray", decimal(line.dash, 2));
  if (line.crisp) text += attribute("shape-rendering", "crispEdges");
  if (line.title.empty()) return text + "/>\n";
  return text + "><title>" + escape(line.title) + "</title></path>\n";
}

std::string element(const Area& area) {
  return "<rect" + attribute("x", decimal(area.x, 2)) + attribute("y", decimal(area.y, 2)) +
         attribute("width", decimal(area.width, 2)) + attribute("height", decimal(area.height, 2)) +
         attribute("fill", hex(area.ink)) + "/>\n";
}

std::string element(const Words& words) {
  std::string text = "<text";
  const std::string x = decimal(words.at.x, 2), y = decimal(words.at.y, 2);
  if (words.upwards) {
    text += attribute("transform", "translate(" + x + " " + y + ") rotate(-90)");
  } else {
    text += attribute("x", x) + attribute("y", y);
  }
  text += attribute("font-size", decimal(words.size, 2)) + attribute("fill", hex(words.ink));
  if (words.anchor != Anchor::kStart)
    text += attribute("text-anchor", words.anchor == Anchor::kMiddle ? "middle" : "end");
  if (words.bold) text += attribute("font-weight", "600");
  return text + ">" + escape(words.text) + "</text>\n";
}

std::string element(const Polyline& line) { return line.points.size() < 2 ? "" : path(line); }

}  // namespace

std::string hex(Ink ink) {
  const char* const digits = "0123456789abcdef";
  std::string text = "#";
  for (const uint8_t c : {ink.r, ink.g, ink.b}) {
    text += digits[c >> 4];
    text += digits[c & 15];
  }
  return text;
}

std::string decimal(double value, int decimals) {
  if (!std::isfinite(value) || std::fabs(value) > 1e15) return "0";
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals).ptr;
  std::string text(buffer, end);
  if (text.find('.') != std::string::npos) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

std::string escape(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const Letter letter = next_letter(text, i);
    const uint32_t c = letter.code;
    const bool control = c < 0x20 && c != '\t' && c != '\n';
    if (letter.bad || control || c == 0x7f || c == 0xfffe || c == 0xffff) {
      out += '?';
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += text.substr(i, letter.bytes);
    }
    i += letter.bytes;
  }
  return out;
}

std::string to_svg(const Drawing& drawing) {
  const std::string w = decimal(drawing.width, 1), h = decimal(drawing.height, 1);
  std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", w) +
                     attribute("height", h) + attribute("viewBox", "0 0 " + w + " " + h) +
                     " font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', "
                     "sans-serif\" fill=\"none\" stroke-linejoin=\"round\">\n";
  text += element(Area{0, 0, drawing.width, drawing.height, drawing.paper});
  for (const auto& part : drawing.parts)
    text += std::visit([](const auto& p) { return element(p); }, part);
  return text + "</svg>\n";
}

}  // namespace tenon::plot
