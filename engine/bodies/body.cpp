#include "tenon/engine/bodies/body.h"

namespace tenon {

BodyMass make_body_mass(double mass, const Vec3& com_B, const Mat3& I_B) {
  BodyMass body;
  body.mass = mass;
  body.inv_mass = 1 / mass;
  body.com_B = com_B;
  body.I_B = I_B;
  if (I_B == Mat3{}) return body;
  const SymmetricEigen principal = calc_symmetric_eigen(I_B);
  body.moments = principal.values;
  body.q_BP = to_quat(principal.vectors);
  // from the principal moments: cofactors would lose the small moment of a needle
  const Mat3& R = principal.vectors;
  const Vec3 inv{1 / body.moments.x, 1 / body.moments.y, 1 / body.moments.z};
  body.inv_I_B = R * Mat3::diagonal(inv) * transpose(R);
  body.size = std::sqrt(6 * trace(I_B) / mass);
  return body;
}

}  // namespace tenon
