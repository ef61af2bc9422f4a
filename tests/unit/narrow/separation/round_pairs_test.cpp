// Spheres, capsules and planes against everything.
#include <gtest/gtest.h>

#include "tenon/tests/effort.h"
#include "tenon/tests/unit/narrow/separation/pair_check.h"

namespace tenon::reference {
namespace {

constexpr int kCases = test::effort(10000, 1500);
using enum ShapeKind;

TEST(Separation, OfASphereAgreesWithCertificates) {
  for (const ShapeKind b : {kSphere, kCapsule, kBox, kCylinder, kHull})
    check_pair({kSphere, b}, kCases);
}

TEST(Separation, OfAPlaneAgreesWithCertificates) {
  for (const ShapeKind b : {kSphere, kCapsule, kBox, kCylinder, kHull})
    check_pair({kPlane, b}, kCases);
}

TEST(Separation, OfACapsuleAgreesWithCertificates) {
  for (const ShapeKind b : {kCapsule, kBox, kHull}) check_pair({kCapsule, b}, kCases);
}

}  // namespace
}  // namespace tenon::reference
