#include "tenon/scene/model/inertia.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/geometry/mass_properties.h"
#include "tenon/scene/build/body_parts.h"
#include "tenon/scene/formats/number_text.h"
#include "tenon/scene/model/angles.h"

namespace tenon::scene::model {
namespace {

constexpr double kThin = 1e-3;  // of the largest moment: what a rod without thickness gets

std::string list(const Vec3& v) {
  return format_number(v.x) + ", " + format_number(v.y) + ", " + format_number(v.z);
}

Mat3 from_moments(const Vec3& moments, const Mat3& axes) {
  const Mat3 I = axes * Mat3::diagonal(moments) * transpose(axes);
  return 0.5 * (I + transpose(I));
}

}  // namespace

Result<Inertial> calc_inertial(const std::vector<Part>& parts, const FileReader& meshes) {
  Body body;
  body.density = 1;
  CompoundShape compound{parts};
  for (Part& part : compound.parts) part.role = PartRole::kAll;
  body.shape = std::move(compound);
  MeshLibrary library({.read = meshes, .use = MeshUse::kPicture});
  const auto made = make_parts(Document{}, body, library);
  if (!made) return made.error();
  std::vector<MassProperties> pieces;
  for (const BodyPart& part : *made) pieces.push_back(part.mass);
  const MassProperties sum = combine(pieces);
  return Inertial{sum.mass, sum.com, sum.inertia};
}

Status mend_inertia(const std::vector<Part>& parts, const std::string& link, const Error& where,
                    const FileReader& meshes, Inertial& inertial, Report& report) {
  const SymmetricEigen eigen = calc_symmetric_eigen(inertial.inertia);
  const auto tell = [&](const std::string& message, const std::string& accepted) {
    Error e = where;
    e.message = "link '" + link + "': " + message;
    e.value = "principal moments " + list(eigen.values);
    e.accepted = accepted;
    return e;
  };
  const char* positive = "three principal moments above 0";
  Vec3 m = eigen.values;
  if (!(m.z > 0)) {
    const Result<Inertial> shapes = calc_inertial(parts, meshes);
    if (!shapes || !(shapes->mass > 0)) {
      return tell("the inertia is not positive, and no shape says what it could be", positive);
    }
    report.warnings.push_back(tell(
        "the inertia is not positive; that of its shapes with the same mass is used", positive));
    inertial.inertia = (inertial.mass / shapes->mass) * shapes->inertia;
    return Ok{};
  }
  if (!(m.x > kInertiaSlack * m.z)) {
    m.x = kThin * m.z;
    if (!(m.y > kInertiaSlack * m.z)) m.y = m.z;
    report.warnings.push_back(
        tell("a moment of inertia is not positive; it is made " + format_number(m.x), positive));
  }
  const double missing = m.z - m.x - m.y;
  if (missing > kInertiaSlack * m.z) {
    m.x += 0.5 * missing;
    m.y += 0.5 * missing;
    report.warnings.push_back(tell("no body has this inertia; it is made " + list(m),
                                   "each principal moment at most the sum of the other two"));
  }
  if (!(m == eigen.values)) inertial.inertia = from_moments(m, eigen.vectors);
  return Ok{};
}

Part inertia_box(const Inertial& inertial) {
  // a box with edges a, b, c has the moments m (b^2 + c^2)/12, ...
  const SymmetricEigen eigen = calc_symmetric_eigen(inertial.inertia);
  const Vec3 I = eigen.values;
  const double sum = I.x + I.y + I.z;
  const auto edge = [&](double moment) {
    const double square = 12 / inertial.mass * (0.5 * sum - moment);
    return std::clamp(std::sqrt(std::max(square, 0.0)), 1e-5, 1e5);
  };
  Part part;
  part.shape = BoxShape{{edge(I.x), edge(I.y), edge(I.z)}};
  part.role = PartRole::kVisual;
  part.position = inertial.com;
  // a direction that a file can say again
  const Vec3 rpy = calc_rpy(to_quat(eigen.vectors));
  part.orientation = from_rpy({rounded(rpy.x, 9), rounded(rpy.y, 9), rounded(rpy.z, 9)});
  return part;
}

}  // namespace tenon::scene::model
