// A picture of a recording as SVG: light, without dependencies, opens in every browser. Bodies are
// shaded solids in perspective, nearer ones painted over farther ones; bodies that pass through one
// another are painted whole, one over the other. For true shadows and reflections use a ray tracer.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "tenon/engine/base/result.h"
#include "tenon/recording/reader.h"

namespace tenon::render {

struct SketchOptions {
  int width = 1280, height = 720;  // px, 16 ... 16384
  // Time of the picture in seconds; the last recorded frame at or before it is shown. Left out: the
  // middle of the range below, or its end where strobe > 1. More than a step outside the recording:
  // an error.
  std::optional<double> at_s;
  // How many poses from the beginning of the range to at_s go into one picture, evenly spaced in
  // time; earlier ones are fainter. Above 1 the paths of the bodies' origins are drawn as well.
  int strobe = 1;                                            // 1 ... 100
  double from_s = -std::numeric_limits<double>::infinity();  // the range, cut to the recording's
  double to_s = std::numeric_limits<double>::infinity();
  // A camera of the scene. Empty: its first one. With "auto" (where no camera has this name), in a
  // scene without cameras, and with a camera that is `automatic`, the scene is seen from the front
  // right, slightly above, with all drawn bodies in the picture.
  std::string camera;
};

// The SVG text; the same recording and options give the same bytes everywhere. Each drawn part of a
// body is a <g data-body="name">. Bodies that are out of sight, or inside the half-space of a plane
// that is seen from above, are left out, as are those whose pose is not finite and those the
// recorded scene does not list.
// Errors: options out of range, no frames, a scene that cannot be read, an unknown camera.
// Cost: linear in bodies times poses, and in the pairs of them that overlap in the picture;
// 10,000 boxes take about a second.
Result<std::string> sketch_svg(RecordingReader& reader, const SketchOptions& options = {});

}  // namespace tenon::render
