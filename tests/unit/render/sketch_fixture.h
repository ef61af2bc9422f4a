// Small recordings of given poses, and a reader of the SVG that refuses what is not well-formed.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tenon/recording/reader.h"
#include "tenon/recording/writer.h"
#include "tenon/render/sketch.h"

namespace tenon::test {

struct MadeRecording {
  std::vector<std::byte> bytes;

  Result<std::string> sketch(const render::SketchOptions& options = {}) const {
    MemorySource source(bytes, "made.tenon");
    Result<RecordingReader> reader = RecordingReader::open(source);
    if (!reader) return reader.error();
    return render::sketch_svg(*reader, options);
  }
  // Precondition: it can be drawn.
  std::string svg(const render::SketchOptions& options = {}) const {
    const Result<std::string> text = sketch(options);
    EXPECT_TRUE(text.ok()) << (text ? "" : format(text.error()));
    return text ? *text : "";
  }
};

// frames[k][body]; frame k is at k / 10 s.
inline MadeRecording record_moving(const std::string& scene_text,
                                   const std::vector<std::string>& names,
                                   const std::vector<std::vector<RecordedBody>>& frames) {
  MemorySink sink;
  RecordingWriter writer(sink, {});
  RunRecord run;
  run.method = "impulse";
  run.step_s = 0.1;
  run.version = "test";
  run.body_names = names;
  EXPECT_TRUE(writer.begin(run, {"made.json", "", scene_text, {}}).ok());
  for (size_t k = 0; k < frames.size(); ++k) {
    EXPECT_TRUE(writer.add_frame(k, 0.1 * static_cast<double>(k), k + 1, frames[k]).ok());
  }
  EXPECT_TRUE(writer.finish({RunEnd::kCompleted, "", frames.size(), 1}).ok());
  return {sink.bytes()};
}
// The same without velocities.
inline MadeRecording record(const std::string& scene_text, const std::vector<std::string>& names,
                            const std::vector<std::vector<Pose>>& frames) {
  std::vector<std::vector<RecordedBody>> moving;
  for (const std::vector<Pose>& poses : frames) {
    moving.emplace_back();
    for (const Pose& pose : poses) moving.back().push_back({pose, {}, {}});
  }
  return record_moving(scene_text, names, moving);
}

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
};

// The elements of an XML text in order. Fails the test on tags that do not match, attributes that
// are repeated or not quoted, stray < and &, and on more than one root.
inline std::vector<Element> parse_xml(const std::string& text) {
  std::vector<Element> elements;
  std::vector<std::string> open;
  size_t i = 0, roots = 0;
  const auto fail = [&](const std::string& what) {
    ADD_FAILURE() << what << " at byte " << i << ": " << text.substr(i, 60);
    i = text.size();
  };
  const auto check_text = [&](const std::string& piece) {
    for (size_t k = piece.find('&'); k != std::string::npos; k = piece.find('&', k + 1)) {
      const std::string entity = piece.substr(k, piece.find(';', k) - k + 1);
      if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;")
        fail("unknown entity");
    }
    for (const char c : piece)
      if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') fail("control character");
  };
  while (i < text.size()) {
    const size_t tag = std::min(text.find('<', i), text.size());
    const std::string content = text.substr(i, tag - i);
    check_text(content);
    if (open.empty() && content.find_first_not_of(" \n") != std::string::npos) fail("text outside");
    if (tag == text.size() || i == text.size()) break;
    i = tag + 1;
    if (i < text.size() && text[i] == '/') {
      const size_t end = text.find('>', i);
      if (end == std::string::npos || open.empty() ||
          text.substr(i + 1, end - i - 1) != open.back())
        return fail("wrong end tag"), elements;
      open.pop_back();
      i = end + 1;
      continue;
    }
    if (open.empty() && ++roots > 1) return fail("second root"), elements;
    Element element;
    while (i < text.size() && std::isalnum(static_cast<unsigned char>(text[i])))
      element.name += text[i++];
    if (element.name.empty()) return fail("no tag name"), elements;
    while (i < text.size() && text[i] == ' ') {
      const size_t equals = text.find("=\"", i);
      if (equals == std::string::npos) return fail("attribute without value"), elements;
      const std::string key = text.substr(i + 1, equals - i - 1);
      const size_t end = text.find('"', equals + 2);
      if (end == std::string::npos || key.empty() ||
          key.find_first_not_of(
              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-0123456789") !=
              std::string::npos)
        return fail("bad attribute"), elements;
      const std::string value = text.substr(equals + 2, end - equals - 2);
      if (value.find('<') != std::string::npos) return fail("< in a value"), elements;
      check_text(value);
      if (!element.attributes.emplace(key, value).second) return fail("repeated"), elements;
      i = end + 1;
    }
    const bool empty = text.compare(i, 2, "/>") == 0;
    if (!empty && (i >= text.size() || text[i] != '>')) return fail("tag not closed"), elements;
    i += empty ? 2 : 1;
    if (!empty) open.push_back(element.name);
    elements.push_back(std::move(element));
  }
  if (!open.empty()) fail("<" + open.back() + "> is never closed");
  return elements;
}

// Names in data-body, once for each drawn part.
inline std::multiset<std::string> drawn_bodies(const std::string& svg) {
  std::multiset<std::string> names;
  for (const Element& element : parse_xml(svg))
    if (const auto found = element.attributes.find("data-body"); found != element.attributes.end())
      names.insert(found->second);
  return names;
}

}  // namespace tenon::test
