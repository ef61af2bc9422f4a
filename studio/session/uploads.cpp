#include "tenon/studio/session/uploads.h"

#include <algorithm>

namespace tenon::studio {
namespace {

// "a\b/./c" -> "a/b/c"; names are no paths of a disk, so ".." has no meaning and goes.
std::string plain_name(const std::string& name) {
  std::string out, part;
  const auto take = [&] {
    if (!part.empty() && part != "." && part != "..") out += (out.empty() ? "" : "/") + part;
    part.clear();
  };
  for (const char c : name) {
    if (c == '/' || c == '\\') {
      take();
    } else if (c != '\0') {
      part += c;
    }
  }
  take();
  return out;
}

std::string last_part(const std::string& name) {
  const size_t slash = name.rfind('/');
  return slash == std::string::npos ? name : name.substr(slash + 1);
}

int value_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// RFC 4648, section 4; false: it is none.
bool decode(const std::string& text, std::string& out) {
  if (text.size() % 4 != 0) return false;
  for (size_t i = 0; i < text.size(); i += 4) {
    const bool last = i + 4 == text.size();
    const int padding = last ? (text[i + 3] == '=') + (text[i + 2] == '=') : 0;
    unsigned bits = 0;
    for (size_t k = 0; k < 4; ++k) {
      const bool pad = static_cast<int>(k) >= 4 - padding;
      const int value = pad ? 0 : value_of(text[i + k]);
      if (value < 0) return false;
      bits = bits << 6 | static_cast<unsigned>(value);
    }
    for (int k = 0; k < 3 - padding; ++k) out += static_cast<char>(bits >> (16 - 8 * k) & 0xffu);
  }
  return true;
}

}  // namespace

Result<size_t> Uploads::add(const std::string& given, const std::string& base64, bool begins) {
  const std::string name = plain_name(given);
  if (name.empty() || name.size() > 500)
    return Error{.message = "a file needs a name",
                 .file = "name",
                 .value = given.substr(0, 80),
                 .accepted = "\"parts/wheel.stl\", at most 500 bytes"};
  std::shared_ptr<std::string>& file = files_[name];
  // those who read the old one keep it
  auto next =
      begins || !file ? std::make_shared<std::string>() : std::make_shared<std::string>(*file);
  size_t others = 0;
  for (const auto& [other, bytes] : files_)
    if (other != name && bytes) others += bytes->size();
  if (others + next->size() + base64.size() / 4 * 3 > kMostBytes)
    return Error{.message = "the files of this session are too large together",
                 .file = name,
                 .accepted = "at most " + std::to_string(kMostBytes >> 20) + " MB"};
  if (!decode(base64, *next))
    return Error{.message = "the bytes of the file are no base64",
                 .file = "data",
                 .value = base64.substr(0, 20),
                 .accepted = "letters, digits, + and /, padded by ="};
  file = std::move(next);
  old_.erase(name);
  return file->size();
}

void Uploads::age() {
  for (const auto& [name, bytes] : files_) old_.insert(name);
}

void Uploads::forget_old(const std::vector<std::string>& used) {
  for (const std::string& name : old_) {
    const bool wanted = std::any_of(used.begin(), used.end(), [&](const std::string& other) {
      return last_part(plain_name(other)) == last_part(name);
    });
    if (!wanted) files_.erase(name);
  }
  std::erase_if(old_, [&](const std::string& name) { return !files_.contains(name); });
}

scene::FileBytes Uploads::find(const std::string& given) const {
  const std::string name = plain_name(given);
  if (const auto found = files_.find(name); found != files_.end()) return found->second;
  scene::FileBytes only;
  int count = 0;
  for (const auto& [other, bytes] : files_) {
    if (last_part(other) != last_part(name)) continue;
    only = bytes;
    ++count;
  }
  return count == 1 ? only : nullptr;
}

}  // namespace tenon::studio
