#include "tenon/recording/body_table.h"

#include "tenon/recording/detail/text.h"
#include "tenon/recording/detail/text_table.h"

namespace tenon {
namespace {

using recording_detail::short_number;

using Row = std::vector<std::string>;

const char* motion_text(MotionKind motion) {
  switch (motion) {
    case MotionKind::kDynamic:
      return "dynamic";
    case MotionKind::kStatic:
      return "static";
    case MotionKind::kKinematic:
      return "kinematic";
  }
  return "?";
}

std::string vector_text(const Vec3& v) {
  const auto text = [](double value) { return short_number(value, 6); };
  return text(v.x) + " " + text(v.y) + " " + text(v.z);
}

}  // namespace

Result<std::vector<BodyDescription>> read_bodies(RecordingReader& reader,
                                                 const SceneBuilder& build) {
  const auto scene = reader.scene();
  if (!scene) return scene.error();
  const auto built = build(*scene, reader.run());
  if (!built) return built.error();
  if (built->names != reader.run().body_names)
    return Error{.message = "the recorded scene gives other bodies than the recording has",
                 .file = reader.source().name()};
  std::vector<BodyDescription> bodies;
  for (size_t i = 0; i < built->handles.size(); ++i) {
    const BodyHandle body = built->handles[i];
    bodies.push_back({built->names[i], built->world.motion(body), built->world.mass(body),
                      built->world.release_time(body)});
  }
  return bodies;
}

std::string format(const std::vector<BodyDescription>& bodies) {
  std::vector<Row> rows{
      {"body", "motion", "mass (kg)", "mass centre (m)", "principal moments (kg m^2)"}};
  for (const BodyDescription& body : bodies) {
    Row row{body.name, motion_text(body.motion), "-", "-", "-"};
    if (body.release) row[1] += " until " + short_number(*body.release, 6) + " s";
    if (body.motion == MotionKind::kDynamic) {
      row[2] = short_number(body.mass.mass, 6);
      row[3] = vector_text(body.mass.com_B);
      row[4] = vector_text(body.mass.moments);
    }
    rows.push_back(std::move(row));
  }
  return recording_detail::format_table(rows);
}

}  // namespace tenon
