#include "tenon/scene/mjcf/expand.h"

#include <algorithm>
#include <map>

#include "tenon/scene/formats/number_text.h"

namespace tenon::scene::mjcf {
namespace {

using xml::Element;

constexpr size_t kMostElements = 1'000'000;
constexpr size_t kMostIncludes = 1000;

class Includer {
 public:
  explicit Includer(const model::Files& files) : files_(files) {}

  Status visit(Element& e) {
    std::vector<Element> children;
    for (Element& c : e.children) {
      if (c.tag != "include") {
        if (Status s = visit(c); !s) return s;
        children.push_back(std::move(c));
        continue;
      }
      Result<Element> root = load(c);
      if (!root) return root.error();
      for (Element& inner : root->children) children.push_back(std::move(inner));
    }
    e.children = std::move(children);
    return Ok{};
  }

  Result<Element> parse(std::string_view text, const std::string& file) {
    chain_.push_back(file);
    Result<Element> root = xml::parse(text, file);
    if (!root) return root;
    elements_ += xml::count(*root);
    if (elements_ > kMostElements) {
      return xml::error_at(*root, "with its includes the model has too many elements", "",
                           "at most " + std::to_string(kMostElements));
    }
    if (Status s = visit(*root); !s) return s.error();
    chain_.pop_back();
    return root;
  }

 private:
  // beside the file that names it, or beside the model
  std::optional<std::string> find(const std::string& named) const {
    auto path = model::find_file(files_, chain_.back(), named);
    return path ? path : model::find_file(files_, chain_.front(), named);
  }

  Result<Element> load(Element& include) {
    const Result<std::string> named = xml::need_text(include, "file");
    if (!named) return named.error();
    const std::optional<std::string> path = find(*named);
    if (!path) {
      return xml::error_at(include, "the included file is not there", *named,
                           "a file beside the model");
    }
    const std::string clean = cleaned(*path);
    std::string way;
    for (const std::string& file : chain_) way += file + " -> ";
    for (const std::string& file : chain_) {
      if (cleaned(file) != clean) continue;
      return xml::error_at(include, "the file includes itself", way + *path, "no circle");
    }
    if (++includes_ > kMostIncludes) {
      return xml::error_at(include, "there are too many includes", way + *path,
                           "at most " + std::to_string(kMostIncludes));
    }
    const Result<std::string> text = files_.read(*path);
    if (!text) return text.error();
    return parse(*text, *path);
  }

  // "a/./b/../c" -> "a/c"
  static std::string cleaned(const std::string& path) {
    std::vector<std::string> parts;
    size_t at = 0;
    while (at <= path.size()) {
      const size_t slash = std::min(path.find('/', at), path.size());
      const std::string part = path.substr(at, slash - at);
      const bool up = part == ".." && !parts.empty() && parts.back() != "..";
      if (up) parts.pop_back();
      if (!up && part != "." && !(part.empty() && at > 0)) parts.push_back(part);
      at = slash + 1;
    }
    std::string out;
    for (const std::string& part : parts) out += (out.empty() ? "" : "/") + part;
    return out;
  }

  const model::Files& files_;
  std::vector<std::string> chain_;
  size_t elements_ = 0, includes_ = 0;
};

std::string numbers(std::initializer_list<double> values) {
  std::string text;
  for (const double v : values) text += (text.empty() ? "" : " ") + format_number(v);
  return text;
}

// Names below an element, for copies: with the suffix, and noted.
using Copies = std::map<std::string, std::vector<std::string>>;
void rename(Element& e, const std::string& suffix, Copies* copies) {
  for (xml::Attribute& a : e.attributes) {
    if (a.name != "name") continue;
    if (copies != nullptr) (*copies)[a.value].push_back(a.value + suffix);
    a.value += suffix;
  }
  for (Element& c : e.children) rename(c, suffix, copies);
}

class Replicator {
 public:
  Replicator(const Settings& settings, size_t elements)
      : settings_(settings), elements_(elements) {}

  Status visit(Element& e) {
    std::vector<Element> children;
    for (Element& c : e.children) {
      if (Status s = visit(c); !s) return s;
      if (c.tag != "replicate") {
        children.push_back(std::move(c));
        continue;
      }
      if (Status s = copy(c, children); !s) return s;
    }
    e.children = std::move(children);
    return Ok{};
  }

  const Copies& copies() const { return copies_; }

 private:
  Status copy(Element& r, std::vector<Element>& out) {
    const auto count = xml::need_number(r, "count");
    if (!count) return count.error();
    const auto offset = xml::vector_or(r, "offset", {}), euler = xml::vector_or(r, "euler", {});
    if (!offset) return offset.error();
    if (!euler) return euler.error();
    const auto n = static_cast<size_t>(std::clamp(*count, 0.0, 1e9));
    elements_ += n * xml::count(r);
    if (elements_ > kMostElements || *count < 0) {
      return xml::error_at(
          r, *r.find("count"), "makes too many elements",
          "a number from 0 on, at most " + std::to_string(kMostElements) + " elements in all");
    }
    const std::string sep = r.text("sep");
    const size_t digits = std::to_string(n == 0 ? 0 : n - 1).size();
    const Pose step{*offset, from_euler(settings_, *euler)};
    Pose X;
    for (size_t i = 0; i < n; ++i, X = X * step) {
      std::string index = std::to_string(i);
      index.insert(0, digits - index.size(), '0');
      Element frame;
      frame.tag = "frame";
      frame.file = r.file;
      frame.line = r.line;
      frame.children = r.children;
      frame.attributes = {{"pos", numbers({X.p.x, X.p.y, X.p.z}), r.line, false},
                          {"quat", numbers({X.q.w, X.q.x, X.q.y, X.q.z}), r.line, false}};
      for (Element& c : frame.children) rename(c, sep + index, &copies_);
      out.push_back(std::move(frame));
    }
    return Ok{};
  }

  const Settings& settings_;
  size_t elements_;
  Copies copies_;
};

bool refers(const std::string& attribute) {
  for (const char* name : {"body", "body1", "body2", "site", "site1", "site2", "joint", "joint1",
                           "joint2", "geom", "geom1", "geom2", "tendon"}) {
    if (attribute == name) return true;
  }
  return false;
}

size_t count_copies(const Element& e, const Copies& copies) {
  size_t most = 0;
  for (const xml::Attribute& a : e.attributes) {
    const auto found = refers(a.name) ? copies.find(a.value) : copies.end();
    if (found != copies.end()) most = std::max(most, found->second.size());
  }
  for (const Element& c : e.children) most = std::max(most, count_copies(c, copies));
  return most;
}

void refer_to(Element& e, const Copies& copies, size_t index) {
  for (xml::Attribute& a : e.attributes) {
    const auto found = refers(a.name) ? copies.find(a.value) : copies.end();
    if (found != copies.end()) a.value = found->second[std::min(index, found->second.size() - 1)];
  }
  for (Element& c : e.children) refer_to(c, copies, index);
}

void copy_references(const Copies& copies, Element& section) {
  std::vector<Element> children;
  for (Element& c : section.children) {
    const size_t n = count_copies(c, copies);
    for (size_t i = 0; i < n; ++i) {
      children.push_back(c);
      refer_to(children.back(), copies, i);
      rename(children.back(), std::to_string(i), nullptr);
    }
    if (n == 0) children.push_back(std::move(c));
  }
  section.children = std::move(children);
}

}  // namespace

Result<Element> load_with_includes(std::string_view text, const std::string& file,
                                   const model::Files& files) {
  return Includer(files).parse(text, file);
}

Status expand_replicates(const Settings& settings, Element& root) {
  Replicator replicator(settings, xml::count(root));
  if (Status s = replicator.visit(root); !s) return s;
  if (replicator.copies().empty()) return Ok{};
  for (Element& section : root.children) {
    if (section.tag == "worldbody" || section.tag == "default") continue;
    copy_references(replicator.copies(), section);
  }
  return Ok{};
}

}  // namespace tenon::scene::mjcf
