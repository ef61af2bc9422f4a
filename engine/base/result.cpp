#include "tenon/engine/base/result.h"

namespace tenon {

std::string format(const Error& error) {
  std::string text;
  if (!error.file.empty()) text += error.file + ":";
  if (error.line > 0) text += std::to_string(error.line) + ":";
  if (error.line > 0 && error.column > 0) text += std::to_string(error.column) + ":";
  if (!text.empty()) text += " ";
  text += error.message;
  if (!error.value.empty() || !error.accepted.empty()) {
    text += " (";
    if (!error.value.empty()) text += "got " + error.value;
    if (!error.value.empty() && !error.accepted.empty()) text += "; ";
    if (!error.accepted.empty()) text += "accepted: " + error.accepted;
    text += ")";
  }
  return text;
}

}  // namespace tenon
