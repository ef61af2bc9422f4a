// One page about a run, as one would put it into a lab report: HTML without anything from
// elsewhere, that prints well.
#pragma once

#include "tenon/render/report/summary.h"
#include "tenon/scene/document/document.h"

namespace tenon::report {

// A picture of the film strip.
struct Still {
  double time = 0;       // s
  std::string png = {};  // bytes
};

struct PageOptions {
  std::vector<Still> stills;
  std::string recording;  // its name, for the commands that make it again
};

// Facts of the scene, film strip, curves, accuracy, energy, times per phase, hints, and how to make
// it again. Panels without content (joints in a scene without any) are left out. Errors: a
// recording that cannot be read, or without frames.
Result<std::string> make_page(RecordingReader& reader, const PageOptions& options);

}  // namespace tenon::report
