// Cylinders: curved and flat at once.
#include <gtest/gtest.h>

#include "tenon/tests/effort.h"
#include "tenon/tests/unit/narrow/separation/pair_check.h"

namespace tenon::reference {
namespace {

constexpr int kCases = test::effort(10000, 1500);
using enum ShapeKind;

TEST(Separation, OfACylinderAndACapsuleAgreesWithCertificates) {
  check_pair({kCylinder, kCapsule}, kCases);
}
TEST(Separation, OfACylinderAndABoxAgreesWithCertificates) {
  check_pair({kCylinder, kBox}, kCases);
}
TEST(Separation, OfTwoCylindersAgreesWithCertificates) {
  check_pair({kCylinder, kCylinder}, kCases);
}
TEST(Separation, OfACylinderAndAHullAgreesWithCertificates) {
  check_pair({kCylinder, kHull}, kCases);
}

}  // namespace
}  // namespace tenon::reference
