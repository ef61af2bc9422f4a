#include "tenon/recording/export_csv.h"

#include "tenon/recording/detail/csv.h"
#include "tenon/recording/detail/text.h"

namespace tenon {

using namespace recording_detail;

namespace {

// Calls `use(index, frame)` for every n-th frame of the span of time.
template <class Use>
Status for_frames(RecordingReader& reader, const CsvOptions& options, Use use) {
  // the range begins at the first frame that is not before from_s
  uint64_t first = 0;
  if (reader.frame_count() > 0) {
    const auto found = reader.find_frame(options.from_s);
    if (!found) return found.error();
    first = *found;
  }
  uint64_t in_range = 0;
  RecordedFrame frame;
  for (uint64_t i = first; i < reader.frame_count(); ++i) {
    if (auto status = reader.read_frame(i, frame); !status) return status;
    if (frame.time < options.from_s - kCsvSlack_s) continue;
    if (frame.time > options.to_s + kCsvSlack_s) break;
    if (in_range++ % options.every != 0) continue;
    if (auto status = use(i, frame); !status) return status;
  }
  return Ok{};
}

}  // namespace

Result<uint64_t> export_poses_csv(RecordingReader& reader, ByteSink& sink,
                                  const CsvOptions& options) {
  if (auto status = check_csv_options(options); !status) return status.error();
  const auto places = choose_bodies(reader, options);
  if (!places) return places.error();
  std::vector<std::string> names;
  for (size_t place : *places) names.push_back(csv_quoted(reader.run().body_names[place]));

  CsvText text(sink, "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
  const auto add_frame = [&](uint64_t, const RecordedFrame& frame) -> Status {
    const std::string time = number(frame.time);
    for (size_t k = 0; k < places->size(); ++k) {
      const RecordedBody& body = frame.bodies[(*places)[k]];
      const Vec3 &p = body.X_WB.p, &v = body.v_WC, &w = body.w_WB;
      const Quat& q = body.X_WB.q;
      text.begin(time);
      text.add(names[k]);
      text.add({p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z});
      if (auto status = text.end_line(); !status) return status;
    }
    return Ok{};
  };
  if (auto status = for_frames(reader, options, add_frame); !status) return status.error();
  if (auto status = text.finish(); !status) return status.error();
  return text.lines();
}

Result<uint64_t> export_joints_csv(RecordingReader& reader, ByteSink& sink,
                                   const CsvOptions& options) {
  if (auto status = check_csv_options(options); !status) return status.error();
  const RunRecord& run = reader.run();
  std::vector<RecordedJoint> joints;
  // says so before anything is written
  if (!run.joint_track)
    if (auto status = reader.read_joints(0, joints); !status) return status.error();
  CsvText text(sink, "t,joint,gap_m,angle_rad,x,y,z,rx,ry,rz,fx,fy,fz,tx,ty,tz,enabled,broken");
  const auto add_frame = [&](uint64_t index, const RecordedFrame& frame) -> Status {
    if (auto status = reader.read_joints(index, joints); !status) return status;
    const std::string time = number(frame.time);
    for (size_t k = 0; k < joints.size(); ++k) {
      const RecordedJoint& j = joints[k];
      const Vec3 &f = j.force, &t = j.torque;
      text.begin(time);
      text.add(csv_quoted(run.joint_names[k]));
      text.add({j.gap_m, j.angle_rad});
      for (const double c : j.coordinate) text.add({c});
      text.add({f.x, f.y, f.z, t.x, t.y, t.z});
      text.add(j.enabled ? "1" : "0");
      text.add(j.broken ? "1" : "0");
      if (auto status = text.end_line(); !status) return status;
    }
    return Ok{};
  };
  if (auto status = for_frames(reader, options, add_frame); !status) return status.error();
  if (auto status = text.finish(); !status) return status.error();
  return text.lines();
}

}  // namespace tenon
