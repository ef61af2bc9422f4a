#include <cmath>

#include "tenon/scene/formats/json_text.h"
#include "tenon/scene/formats/number_text.h"
#include "tenon/scene/formats/utf8.h"

namespace tenon::scene {
namespace {

constexpr size_t kColumns = 100;

enum class Spaces { kNone, kSome };

void append_flat(std::string& out, const Json& json, Spaces spaces, size_t limit) {
  if (out.size() > limit) return;
  const char* comma = spaces == Spaces::kSome ? ", " : ",";
  switch (json.kind) {
    case Json::Kind::kNull:
      out += "null";
      return;
    case Json::Kind::kBool:
      out += json.boolean ? "true" : "false";
      return;
    case Json::Kind::kNumber:
      out += std::isfinite(json.number) ? format_number(json.number) : "null";
      return;
    case Json::Kind::kString:
      out += quote(json.string);
      return;
    case Json::Kind::kArray:
      out += '[';
      for (size_t i = 0; i < json.items.size() && out.size() <= limit; ++i) {
        if (i) out += comma;
        append_flat(out, json.items[i], spaces, limit);
      }
      out += ']';
      return;
    case Json::Kind::kObject:
      out += '{';
      for (size_t i = 0; i < json.members.size() && out.size() <= limit; ++i) {
        if (i) out += comma;
        out += quote(json.members[i].key) + (spaces == Spaces::kSome ? ": " : ":");
        append_flat(out, json.members[i].value, spaces, limit);
      }
      out += '}';
      return;
  }
}

void append_pretty(std::string& out, const Json& json, size_t indent, size_t used) {
  // on one line where it fits
  std::string flat;
  append_flat(flat, json, Spaces::kSome, kColumns);
  const bool container = json.is_array() || json.is_object();
  if (!container || used + flat.size() <= kColumns) {
    if (!container && flat.size() > kColumns) {
      flat.clear();
      append_flat(flat, json, Spaces::kSome, std::string::npos);
    }
    out += flat;
    return;
  }
  const std::string pad(indent + 2, ' ');
  out += json.is_array() ? "[\n" : "{\n";
  const size_t count = json.is_array() ? json.items.size() : json.members.size();
  for (size_t i = 0; i < count; ++i) {
    out += pad;
    size_t width = indent + 3;
    if (json.is_object()) {
      const std::string key = quote(json.members[i].key) + ": ";
      width += key.size();
      out += key;
    }
    append_pretty(out, json.is_array() ? json.items[i] : json.members[i].value, indent + 2, width);
    out += i + 1 < count ? ",\n" : "\n";
  }
  out += std::string(indent, ' ') + (json.is_array() ? "]" : "}");
}

}  // namespace

std::string quote(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (size_t at = 0; at < text.size();) {
    const size_t length = utf8_length(text.substr(at));
    const auto c = static_cast<unsigned char>(text[at]);
    if (length == 0) {
      out += "\xef\xbf\xbd";  // the replacement character stands for a broken byte
    } else if (c == '"' || c == '\\') {
      out += {'\\', static_cast<char>(c)};
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c < 0x20 || c == 0x7f) {
      out += std::string("\\u00") + kHex[c >> 4] + kHex[c & 15];
    } else {
      out += text.substr(at, length);
    }
    at += length ? length : 1;
  }
  return out + '"';
}

std::string format_json(const Json& json) {
  std::string out;
  // the root of a document is always opened up
  if (json.is_object() && !json.members.empty()) {
    out += "{\n";
    for (size_t i = 0; i < json.members.size(); ++i) {
      const std::string key = "  " + quote(json.members[i].key) + ": ";
      out += key;
      append_pretty(out, json.members[i].value, 2, key.size() + 1);
      out += i + 1 < json.members.size() ? ",\n" : "\n";
    }
    return out + "}\n";
  }
  append_pretty(out, json, 0, 0);
  return out + '\n';
}

std::string format_compact(const Json& json) {
  std::string out;
  append_flat(out, json, Spaces::kNone, std::string::npos);
  return out;
}

std::string format_short(const Json& json, size_t max_length) {
  std::string out;
  append_flat(out, json, Spaces::kSome, max_length);
  if (out.size() <= max_length) return out;
  size_t cut = max_length;
  while (cut > 0 && (static_cast<unsigned char>(out[cut]) & 0xc0) == 0x80) --cut;
  return out.substr(0, cut) + "...";
}

}  // namespace tenon::scene
