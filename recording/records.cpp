#include "tenon/recording/records.h"

namespace tenon {

const char* name(RunEnd end) {
  switch (end) {
    case RunEnd::kCompleted:
      return "completed";
    case RunEnd::kInterrupted:
      return "interrupted";
    case RunEnd::kCutOff:
      return "cut off";
  }
  return "unknown";
}

}  // namespace tenon
