// Recordings as tables for spreadsheets and scripts. Numbers are the shortest decimals that read
// back to the same bits; names are quoted where needed (RFC 4180); lines end in \n. All functions
// return the number of data lines, and write nothing before the options are found to be right.
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

// Header t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz; then one line per frame and body.
Result<uint64_t> export_poses_csv(RecordingReader& reader, ByteSink& sink,
                                  const CsvOptions& options = {});

// Header t,joint,gap_m,angle_rad,x,y,z,rx,ry,rz,fx,fy,fz,tx,ty,tz,enabled,broken; then one line per
// frame and joint: by how much it is open, the coordinates that it leaves free (0 for the others),
// mean force and torque of the last step on the child (world axes), and 1 or 0. `bodies` does not
// apply. Fails where the recording has no joint track.
Result<uint64_t> export_joints_csv(RecordingReader& reader, ByteSink& sink,
                                   const CsvOptions& options = {});

// Header t,step,event,a,b,value,joint,impulse; then one line per event, in the order in which they
// happened: its name, the names of the bodies it concerns (b, or both, may be empty), its value as
// engine/world/event.h explains it, the name of the joint it is about, if any, and for
// contact_begin the impulse along the normals in that step (N s). `bodies` keeps
// events in which at least one of them takes part; `every` does not apply.
Result<uint64_t> export_events_csv(RecordingReader& reader, ByteSink& sink,
                                   const CsvOptions& options = {});

// Header t,step,a,b,x,y,z,nx,ny,nz,distance_m,jx,jy,jz,acts; then one line per step and point at
// which two bodies touch or pushed each other: the point, the normal from a to b, the signed
// distance, the impulse on b over the step (N s), and 1 or 0. The initial state has no lines.
// `bodies` keeps points of these bodies; `every` keeps every n-th step. Fails where the recording
// has no contact track.
Result<uint64_t> export_contacts_csv(RecordingReader& reader, ByteSink& sink,
                                     const CsvOptions& options = {});

// One line per step, the sums and worst values of engine/world/diagnostics.h: t, step, kinetic_J,
// potential_J, work_J, balance_J = kinetic + potential - work, linear and angular momentum px py
// pz lx ly lz, contacts, contact_pairs, penetration_m, joint_gap_m, joint_gap_rel,
// joint_angle_rad, frozen_bodies, worst_joint (a name; empty without joints), joint_iterations,
// bisections, softened_steps, unconverged_joints, contact_work_J, contact_sweeps,
// contact_residual, candidate_pairs, substeps, fallbacks, sleeping_bodies, elastic_J (of springs).
// The initial state has no line. `every` keeps every n-th step, the same ones as among the frames
// of a recording that has a frame per step; `bodies` does not apply.
Result<uint64_t> export_diagnostics_csv(RecordingReader& reader, ByteSink& sink,
                                        const CsvOptions& options = {});

}  // namespace tenon
