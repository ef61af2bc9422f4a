// A page without a screen: sends requests to a session and keeps what comes back.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tenon/scene/formats/json_text.h"
#include "tenon/studio/session/session.h"

namespace tenon::test {

using scene::Json;

struct SeenFrame {
  uint32_t scene = 0, flags = 0, bodies = 0;
  double step = 0, time = 0, end = 0;
  std::vector<float> poses;
};

inline SeenFrame read_frame(const std::string& bytes) {
  SeenFrame frame;
  const auto get = [&](size_t at, auto& out) { std::memcpy(&out, bytes.data() + at, sizeof out); };
  uint32_t magic = 0, stats = 0;
  get(0, magic);
  EXPECT_EQ(magic, 0x4d524654u);
  get(8, frame.scene);
  get(12, frame.flags);
  get(16, frame.step);
  get(24, frame.time);
  get(32, frame.end);
  get(48, frame.bodies);
  get(52, stats);
  frame.poses.resize(size_t{7} * frame.bodies);
  EXPECT_EQ(bytes.size(), 56 + 4 * stats + 4 * frame.poses.size());
  if (frame.poses.empty()) return frame;
  std::memcpy(frame.poses.data(), bytes.data() + 56 + 4 * stats, 4 * frame.poses.size());
  return frame;
}

class Page {
 public:
  explicit Page(studio::SessionOptions options = {}) : session(options) { collect(); }

  // The answer to a request, given as the text of an object without its braces.
  Json ask(const std::string& request) {
    const int id = ++next_id_;
    session.receive("{\"id\": " + std::to_string(id) + ", " + request + "}");
    collect();
    for (size_t i = replies.size(); i-- > 0;)
      if (replies[i].find("id")->number == id) return replies[i];
    ADD_FAILURE() << "no answer to " << request;
    return {};
  }
  Json fine(const std::string& request) {
    Json reply = ask(request);
    EXPECT_TRUE(reply.find("ok")->boolean) << request << "\n" << scene::format_json(reply);
    return reply;
  }
  Json refused(const std::string& request) {
    Json reply = ask(request);
    EXPECT_FALSE(reply.find("ok")->boolean) << request;
    return *reply.find("error");
  }
  void run(int steps) { fine("\"do\": \"step\", \"count\": " + std::to_string(steps)); }
  void seek(int step) { fine("\"do\": \"seek\", \"step\": " + std::to_string(step)); }
  std::string hash(int step) {
    return fine("\"do\": \"hash\", \"step\": " + std::to_string(step)).find("hash")->string;
  }
  double number(const char* key) { return state.find(key)->number; }
  // The pose of a body in the last frame.
  std::vector<float> pose(const std::string& name) {
    const std::vector<Json>& bodies = shown.find("bodies")->items;
    for (size_t i = 0; i < bodies.size(); ++i)
      if (bodies[i].find("name")->string == name && frame.poses.size() >= 7 * (i + 1))
        return {frame.poses.begin() + 7 * i, frame.poses.begin() + 7 * i + 7};
    ADD_FAILURE() << "no body " << name;
    return std::vector<float>(7);
  }

  void collect() {
    for (studio::Outgoing& out : session.take_outgoing()) {
      if (out.binary) {
        frame = read_frame(out.bytes);
        ++frames;
        continue;
      }
      Json message = scene::parse_json(out.bytes, "reply").root;
      const Json* event = message.find("event");
      if (event == nullptr) {
        replies.push_back(std::move(message));
      } else if (event->string == "state") {
        state = std::move(message);
      } else if (event->string == "scene") {
        shown = std::move(message);
      } else if (event->string == "takes") {
        takes = std::move(message);
      } else if (event->string == "ghost") {
        ghost = std::move(message);
      } else if (event->string == "events") {
        if (message.find("anew")->boolean) events.clear();
        for (Json& one : message.find("events")->items) events.push_back(std::move(one));
      }
    }
  }

  studio::Session session;
  std::vector<Json> replies, events;
  Json state, shown, takes, ghost;
  SeenFrame frame;
  int frames = 0;

 private:
  int next_id_ = 0;
};

inline std::string gallery_text(const std::string& name) {
  std::ifstream file(std::string(TENON_GALLERY) + "/" + name + ".json");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

inline std::string load_request(const std::string& text) {
  return "\"do\": \"load\", \"name\": \"scene.json\", \"text\": " + scene::quote(text);
}

}  // namespace tenon::test
