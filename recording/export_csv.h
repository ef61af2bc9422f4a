// Poses and velocities as a table for spreadsheets and scripts.
#pragma once

#include <limits>

#include "tenon/recording/reader.h"

namespace tenon {

struct CsvOptions {
  std::vector<std::string> bodies;  // names; empty = all. An unknown name is an error.
  double from_s = -std::numeric_limits<double>::infinity();
  double to_s = std::numeric_limits<double>::infinity();  // included
  uint64_t every = 1;  // every n-th frame, counted from the first one in the range; >= 1
};

// Header t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz; then one line per frame and body. Numbers
// are the shortest decimals that read back to the same bits; names are quoted where needed (RFC
// 4180). Lines end in \n. Returns the number of data lines.
Result<uint64_t> export_poses_csv(RecordingReader& reader, ByteSink& sink,
                                  const CsvOptions& options = {});

}  // namespace tenon
