// Reads single values of the format out of JSON trees and collects every mistake with its place.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/engine/math/mat3.h"
#include "tenon/engine/math/quat.h"
#include "tenon/scene/document/joint.h"
#include "tenon/scene/document/json.h"
#include "tenon/scene/document/shape.h"
#include "tenon/scene/formats/expression.h"
#include "tenon/scene/formats/spec.h"

namespace tenon::scene {

class Reader {
 public:
  // `overrides` are the --set texts; a value they made has place line -(k + 1) for the k-th.
  Reader(std::string file, std::vector<std::string> overrides, size_t max_errors)
      : file_(std::move(file)), overrides_(std::move(overrides)), max_errors_(max_errors) {}

  // --- mistakes
  void error(Place place, std::string message, std::string value = "", std::string accepted = "");
  void error(const Json& json, std::string message, std::string accepted = "");
  void warn(Place place, std::string message, std::string value = "", std::string accepted = "");
  // Forgets later errors at places of these, which are already known to be broken.
  void adopt(std::vector<Error> errors);
  bool full() const { return errors_.size() >= max_errors_; }
  size_t error_count() const { return error_count_; }  // the muted ones, too
  std::vector<Error> take_errors() { return std::move(errors_); }
  std::vector<Error> take_warnings() { return std::move(warnings_); }

  // What is read again for another purpose is not reported again.
  bool muted = false;

  // --- the names that expressions may use now
  const Scope* scope = &kNothing;
  bool substitutes = false;         // {expr} in strings; only inside prefabs and arrays
  std::vector<const Scope*> loops;  // index values to mention in messages

  // --- the names that bodies may refer to now
  std::vector<std::string> materials, groups;

  // --- whether values along a joint's axis are turns now
  bool turning = false;

  // --- values; false (and an error) when the value is refused; `out` is then unchanged.
  // `name` is the key, for the messages.
  bool read(const Json& json, double& out, const Spec& spec, std::string_view name);
  bool read(const Json& json, uint64_t& out, const Spec& spec, std::string_view name);
  bool read(const Json& json, int& out, const Spec& spec, std::string_view name);
  bool read(const Json& json, bool& out, const Spec& spec, std::string_view name);
  bool read(const Json& json, std::string& out, const Spec& spec, std::string_view name);
  bool read(const Json& json, Vec3& out, const Spec& spec, std::string_view name);
  bool read(const Json& json, Quat& out, const Spec& spec, std::string_view name);
  bool read(const Json& json, Mat3& out, const Spec& spec, std::string_view name);
  bool read(const Json& json, Color& out, const Spec& spec, std::string_view name);
  bool read(const Json& json, std::vector<std::string>& out, const Spec& spec,
            std::string_view name);
  bool read(const Json& json, std::array<std::string, 2>& out, const Spec& spec,
            std::string_view name);
  bool read(const Json& json, std::vector<Vec3>& out, const Spec& spec, std::string_view name);
  bool read(const Json& json, std::vector<std::array<int, 3>>& out, const Spec& spec,
            std::string_view name);
  bool read(const Json& json, Reference& out, const Spec& spec, std::string_view name);
  bool read(const Json& json, std::vector<Reference>& out, const Spec& spec, std::string_view name);
  bool read(const Json& json, JointLimits& out, const Spec& spec, std::string_view name);

  // An error with a suggestion unless `known` has the name in `json`; `what` is "material", ...
  void require_known(const std::string& word, const std::vector<std::string>& known,
                     const Json& json, const char* what);

  // A number or expression of any dimension.
  bool read_quantity(const Json& json, Quantity& out, std::string_view name);
  bool read_list(const Json& json, size_t count, std::string_view name, std::string_view what);

 private:
  static const Scope kNothing;
  std::string file_;
  std::vector<std::string> overrides_;
  size_t max_errors_;
  std::vector<Error> errors_, warnings_;
  size_t error_count_ = 0;
  std::set<std::pair<int, int>> broken_;
  std::set<std::tuple<int, int, std::string>> seen_;

  Error locate(Place place, std::string message, std::string value, std::string accepted) const;
  bool fit(Quantity& q, const Spec& spec) const;
  bool in_range(const Json& json, double value, const Spec& spec, std::string_view name);
  bool read_axis_angle(const Json& json, Quat& out, std::string_view name);
  bool read_euler(const Json& json, Quat& out, std::string_view name);
  bool check_inertia(const Json& json, const Mat3& I, std::string_view name);
};

// "a length from 0 to 10", for `accepted`.
std::string describe(const Spec& spec);

}  // namespace tenon::scene
