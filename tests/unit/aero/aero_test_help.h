// Small words for the tests of world files.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tenon/scene/aero/world_file.h"
#include "tenon/scene/build/build.h"

namespace tenon::scene {

inline std::string all_notes(const std::vector<Error>& errors) {
  std::string text;
  for (const Error& e : errors) text += format(e) + "\n";
  return text;
}

inline LoadResult read_world(const std::string& text) { return load_world(text, "a.world"); }

inline LoadResult read_good(const std::string& text) {
  LoadResult result = read_world(text);
  EXPECT_TRUE(result.ok()) << all_notes(result.errors) << text;
  return result;
}

inline bool has_note(const std::vector<Error>& notes, int line, const std::string& part) {
  for (const Error& e : notes) {
    if (e.line == line && format(e).find(part) != std::string::npos) return true;
  }
  return false;
}

// Every record of the grammar, as a person would write it.
inline const char* const kHandWritten = R"(# a hand-written world
Z
t 0
g 0 -9.81 0
s 42

K1 plane stone                     # the ground
K2 sphere 0.2 iron
  m 4
  p 0 2 0
  v 1 0 0
  a 0 0 0
  q 1 0 0 0
  w 0 3 0
  u 0 0 0
  c 65535 0 32768
  n 0.25 0.5 0.75
  b -g
  i 1234567890
K3 box 1 0.2 0.5 wood
  p 3 1 0
  q 0.9238795325112867 0 0.3826834323650898 0
K4 cylinder 0.1 0.5 rubber
  p 5 1 0
  b -m -k
K5 nail
  p 0 4 0
K6 mpoint
  m 2
  p 0 3 0
K7 composed                        # a hammer
  E cylinder 0.015 0.3 wood
    p 0 1 0
  E box 0.1 0.03 0.03 iron
    p 0 1.15 0
    c 0 0 65535
  X
  w 0 0 2

V1 K2 K5 spring 100 1.5
  a 0 0.2 0
V2 K2 K5 damper 3
  a 0 0.2 0
V3 K6 K5 joint
  b 0 -1 0
V4 K3 K7 rod
  a 0.5 0 0

F 0 2 K2 inertial 10 0 0
F 1 2.5 K3 0 0.1 0 local 0 0 3
F 1 4 K7 guided K2 0 0 0.1 7
Q
)";

}  // namespace tenon::scene
