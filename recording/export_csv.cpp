#include "tenon/recording/export_csv.h"

#include <algorithm>
#include <cmath>

#include "tenon/recording/detail/text.h"

namespace tenon {
namespace {

using recording_detail::number;

std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos && !name.empty() && name.front() != ' ' &&
      name.back() != ' ')
    return name;
  std::string text = "\"";
  for (char c : name) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + "\"";
}

void add_line(std::string& text, const std::string& time, const std::string& name,
              const RecordedBody& body) {
  text += time;
  text += ',';
  text += name;
  const Vec3 &p = body.X_WB.p, &v = body.v_WC, &w = body.w_WB;
  const Quat& q = body.X_WB.q;
  for (double value : {p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z}) {
    text += ',';
    text += number(value);
  }
  text += '\n';
}

// Places of the wanted bodies, in recording order.
Result<std::vector<size_t>> choose_bodies(const RecordingReader& reader,
                                          const CsvOptions& options) {
  const auto& names = reader.run().body_names;
  std::vector<size_t> places;
  for (const auto& wanted : options.bodies)
    if (std::find(names.begin(), names.end(), wanted) == names.end())
      return Error{.message = "the recording has no body of this name",
                   .file = reader.source().name(),
                   .value = wanted,
                   .accepted = names.empty() ? "none"
                                             : "one of its " + std::to_string(names.size()) +
                                                   " bodies, such as " + names.front()};
  for (size_t i = 0; i < names.size(); ++i)
    if (options.bodies.empty() ||
        std::find(options.bodies.begin(), options.bodies.end(), names[i]) != options.bodies.end())
      places.push_back(i);
  return places;
}

}  // namespace

Result<uint64_t> export_poses_csv(RecordingReader& reader, ByteSink& sink,
                                  const CsvOptions& options) {
  if (options.every == 0) return Error{.message = "every n-th frame needs n >= 1", .value = "0"};
  if (!(options.from_s <= options.to_s))
    return Error{.message = "the time range is empty or no number",
                 .value = number(options.from_s) + " to " + number(options.to_s)};
  const auto places = choose_bodies(reader, options);
  if (!places) return places.error();
  std::vector<std::string> names;
  for (size_t place : *places) names.push_back(quoted(reader.run().body_names[place]));

  // the range begins at the first frame that is not before from_s
  constexpr double kSlack_s = 0.5e-9;
  uint64_t first = 0;
  if (reader.frame_count() > 0) {
    const auto found = reader.find_frame(options.from_s);
    if (!found) return found.error();
    first = *found;
  }
  std::string text = "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n";
  uint64_t lines = 0, in_range = 0;
  RecordedFrame frame;
  for (uint64_t i = first; i < reader.frame_count(); ++i) {
    if (auto status = reader.read_frame(i, frame); !status) return status.error();
    if (frame.time < options.from_s - kSlack_s) continue;
    if (frame.time > options.to_s + kSlack_s) break;
    if (in_range++ % options.every != 0) continue;
    const std::string time = number(frame.time);
    for (size_t k = 0; k < places->size(); ++k, ++lines)
      add_line(text, time, names[k], frame.bodies[(*places)[k]]);
    if (text.size() < (size_t{1} << 16)) continue;
    if (auto status = sink.write(std::as_bytes(std::span(text))); !status) return status.error();
    text.clear();
  }
  if (auto status = sink.write(std::as_bytes(std::span(text))); !status) return status.error();
  return lines;
}

}  // namespace tenon
