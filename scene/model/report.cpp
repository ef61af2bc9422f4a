#include "tenon/scene/model/report.h"

#include <algorithm>
#include <cstdio>

namespace tenon::scene::model {
namespace {

constexpr size_t kMostFoldersUp = 16;  // deeper than any workspace of packages

class Lister {
 public:
  Lister(const Reasons& reasons, Report& report) : reasons_(reasons), report_(report) {
    for (size_t i = 0; i < report.ignored.size(); ++i) index_[report.ignored[i].what] = i;
  }
  void visit(const xml::Element& e) {
    if (!e.used) return add("<" + e.tag + ">", e.file, e.line, reason("<" + e.tag + ">"));
    for (const xml::Attribute& a : e.attributes) {
      if (a.used) continue;
      const std::string what = "<" + e.tag + "> " + a.name;
      std::string why = reason(what);
      if (why.empty()) why = reason("* " + a.name);
      add(what, e.file, a.line, why);
    }
    for (const xml::Element& c : e.children) {
      // what is known where it stands only, as a default that nothing uses
      const std::string what = "<" + e.tag + "> <" + c.tag + ">", why = reason(what);
      if (c.used || why.empty()) {
        visit(c);
      } else {
        add(what, c.file, c.line, why);
      }
    }
  }

 private:
  std::string reason(const std::string& what) const {
    const auto found = reasons_.find(what);
    return found == reasons_.end() ? "" : found->second;
  }
  void add(const std::string& what, const std::string& file, int line, const std::string& why) {
    const auto [at, is_new] = index_.emplace(what, report_.ignored.size());
    if (is_new) report_.ignored.push_back({what, why, file, line, 0});
    ++report_.ignored[at->second].count;
  }
  const Reasons& reasons_;
  Report& report_;
  std::map<std::string, size_t> index_;
};

std::string strip_scheme(const std::string& named, bool& packaged) {
  for (const char* scheme : {"package://", "model://"}) {
    if (!named.starts_with(scheme)) continue;
    packaged = true;
    return named.substr(std::string_view(scheme).size());
  }
  if (named.starts_with("file://")) return named.substr(7);
  return named;
}

}  // namespace

void list_ignored(const xml::Element& root, const Reasons& reasons, Report& report) {
  Lister(reasons, report).visit(root);
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

std::optional<std::string> find_file(const Files& files, const std::string& model,
                                     const std::string& named, const std::string& folder) {
  if (named.empty() || !files.exists) return std::nullopt;
  bool packaged = false;
  const std::string path = strip_scheme(named, packaged);
  if (path.starts_with('/')) {
    return files.exists(path) ? std::optional(path) : std::nullopt;
  }
  std::vector<std::string> tries;
  if (!folder.empty()) tries.push_back(folder + (folder.ends_with('/') ? "" : "/") + path);
  tries.push_back(path);
  // package://NAME/rest: the folder NAME may be this one, or one above it
  const size_t slash = path.find('/');
  if (packaged && slash != std::string::npos) tries.push_back(path.substr(slash + 1));
  std::string up = folder_of(model);
  for (size_t level = 0; level < kMostFoldersUp; ++level) {
    for (const std::string& t : tries) {
      const std::string whole = t.starts_with('/') ? t : up + t;
      if (files.exists(whole)) return whole;
    }
    if (!packaged) break;
    up += "../";
  }
  return std::nullopt;
}

std::string format(const Report& r) {
  std::string text;
  char line[320];
  const std::string name = r.name.size() <= 80 ? r.name : r.name.substr(0, 77) + "...";
  std::snprintf(line, sizeof line,
                "  %s '%s': %zu bodies, %zu joints, %zu freedoms, %zu loops, %zu motors, %.6g kg\n",
                r.format.c_str(), name.c_str(), r.links, r.joints, r.freedoms, r.loops, r.motors,
                r.mass_kg);
  text += line;
  for (const Error& warning : r.warnings) text += "  warning: " + tenon::format(warning) + "\n";
  for (const std::string& note : r.notes) text += "  " + note + "\n";
  const auto list = [&](bool known, const char* head) {
    bool first = true;
    for (const Ignored& i : r.ignored) {
      if (i.reason.empty() == known) continue;
      if (first) text += head;
      first = false;
      text += "    " + i.what + ", " + std::to_string(i.count) +
              (i.count == 1 ? " time" : " times") + ", first at " + i.file + ":" +
              std::to_string(i.line);
      text += (i.reason.empty() ? "" : ": " + i.reason) + "\n";
    }
  };
  list(true, "  not used:\n");
  list(false, "  unknown, and not used:\n");
  return text;
}

}  // namespace tenon::scene::model
