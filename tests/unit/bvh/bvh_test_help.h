// Small BVH files for tests.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "tenon/scene/bvh/import_bvh.h"

namespace tenon::scene::bvh::test {

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A root with an arm: shoulder and elbow, tip at the end. Three frames at 10 Hz.
inline const char* kArm = R"(HIERARCHY
ROOT Body
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Arm
  {
    OFFSET 0 40 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT Elbow
    {
      OFFSET 30 0 0
      CHANNELS 3 Zrotation Yrotation Xrotation
      End Site
      {
        OFFSET 25 0 0
      }
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.1
1 2 3 0 0 0 0 0 0 0 0 0
1 2 3 90 0 0 10 20 30 0 -40 0
1 2 3 90 45 -30 20 40 60 0 -90 0
)";

inline MotionFile parse_good(std::string_view text) {
  Result<MotionFile> motion = parse(text, "test.bvh");
  EXPECT_TRUE(motion.ok()) << (motion.ok() ? "" : tenon::format(motion.error()));
  return motion.ok() ? std::move(*motion) : MotionFile{};
}

inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

}  // namespace tenon::scene::bvh::test
