#include "tenon/render/detail/poses.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/geometry/shape.h"
#include "tenon/render/detail/svg_text.h"

namespace tenon::render {
namespace {

constexpr int kPathPoints = 97;
// Positions kept for the paths; more bodies get coarser paths.
constexpr size_t kPathBudget = 400000;

struct Range {
  double from, to;
};

Result<Range> choose_range(RecordingReader& reader, const SketchOptions& options) {
  const Result<RecordedFrame> first = reader.read_frame(0);
  if (!first) return first.error();
  const Result<RecordedFrame> last = reader.read_frame(reader.frame_count() - 1);
  if (!last) return last.error();
  Range range{std::max(options.from_s, first->time), std::min(options.to_s, last->time)};
  if (options.at_s) {
    // the time of a run that ends within its last step is not worth a refusal
    const double slack = std::max(reader.run().step_s, 0.5e-9);
    if (*options.at_s < first->time - slack || *options.at_s > last->time + slack)
      return Error{.message = "the recording has no such time to draw",
                   .file = reader.source().name(),
                   .value = fixed(*options.at_s, 9) + " s",
                   .accepted = fixed(first->time, 9) + " to " + fixed(last->time, 9) + " s"};
    range.to = std::clamp(*options.at_s, first->time, last->time);
    range.from = std::min(range.from, range.to);
  }
  // half a nanosecond as in the reader: printed times may be rounded
  if (!(range.from <= range.to + 0.5e-9))
    return Error{.message = "the time range holds no frame of the recording",
                 .file = reader.source().name(),
                 .value = fixed(options.from_s, 9) + " to " + fixed(options.to_s, 9),
                 .accepted = fixed(first->time, 9) + " to " + fixed(last->time, 9) + " s"};
  return range;
}

}  // namespace

bool drawable(const Pose& X_WB) {
  return is_finite(X_WB) && max_component(cwise_abs(X_WB.p)) < 0.01 * kLargestLength &&
         norm(X_WB.q) > 0 && std::isfinite(norm(X_WB.q));
}

Result<Poses> read_poses(RecordingReader& reader, const SketchOptions& options) {
  if (reader.frame_count() == 0)
    return Error{.message = "the recording has no frame to draw", .file = reader.source().name()};
  const Result<Range> range = choose_range(reader, options);
  if (!range) return range.error();
  const int count = options.strobe;
  Poses poses;
  uint64_t first = 0, last = 0;
  for (int k = 0; k < count; ++k) {
    // a single pose: the time asked for, else the middle
    const double share = count > 1 ? static_cast<double>(k) / (count - 1) : options.at_s ? 1 : 0.5;
    const Result<uint64_t> index =
        reader.find_frame(range->from + share * (range->to - range->from));
    if (!index) return index.error();
    if (k == 0) first = *index;
    if (k > 0 && *index == last) continue;  // fewer frames than poses
    last = *index;
    Result<RecordedFrame> frame = reader.read_frame(last);
    if (!frame) return frame.error();
    poses.frames.push_back(std::move(*frame));
  }
  if (poses.frames.size() < 2) return poses;

  const size_t bodies = std::max<size_t>(1, poses.frames.front().bodies.size());
  const uint64_t points = std::min<uint64_t>(
      {kPathPoints, last - first + 1, std::max<uint64_t>(2, kPathBudget / bodies)});
  RecordedFrame frame;
  for (uint64_t k = 0; k < points; ++k) {
    const uint64_t index = first + (last - first) * k / (points - 1);
    if (const Status read = reader.read_frame(index, frame); !read) return read.error();
    std::vector<Vec3> origins;
    for (const RecordedBody& body : frame.bodies) origins.push_back(body.X_WB.p);
    poses.path.push_back(std::move(origins));
  }
  return poses;
}

}  // namespace tenon::render
