// Boxes and hulls.
#include <gtest/gtest.h>

#include "tenon/tests/effort.h"
#include "tenon/tests/unit/narrow/separation/pair_check.h"

namespace tenon::reference {
namespace {

constexpr int kCases = test::effort(10000, 1500);
using enum ShapeKind;

TEST(Separation, OfTwoBoxesAgreesWithCertificates) { check_pair({kBox, kBox}, kCases); }
TEST(Separation, OfABoxAndAHullAgreesWithCertificates) { check_pair({kBox, kHull}, kCases); }
TEST(Separation, OfTwoHullsAgreesWithCertificates) { check_pair({kHull, kHull}, kCases); }

}  // namespace
}  // namespace tenon::reference
