// The part of the replay page that unpacks the recording and draws it.
#include "tenon/render/export/detail/replay_page.h"

namespace tenon::exports {

const char* const kReplayScene = R"js(
const $ = id => document.getElementById(id);
function complain(text) {
  $('message').hidden = false;
  $('message').firstElementChild.textContent = text;
}

// small vector algebra; matrices are columns, as WebGL wants them
const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (s, a) => [s * a[0], s * a[1], s * a[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = a => times(1 / (Math.hypot(...a) || 1), a);
function rotate(q, v) { // q = w x y z
  const u = [q[1], q[2], q[3]], t = times(2, cross(u, v));
  return add(add(v, times(q[0], t)), cross(u, t));
}
function multiply(a, b) {
  const m = new Float32Array(16);
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++)
    for (let k = 0; k < 4; k++) m[4 * c + r] += a[4 * k + r] * b[4 * c + k];
  return m;
}
function perspective(fov, aspect, near, far) {
  const f = 1 / Math.tan(fov / 2);
  return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1,
                           0, 0, 2 * far * near / (near - far), 0]);
}
function look(eye, right, up, back) {
  return new Float32Array([right[0], up[0], back[0], 0, right[1], up[1], back[1], 0,
                           right[2], up[2], back[2], 0, -dot(right, eye), -dot(up, eye), -dot(back, eye), 1]);
}
// of a perspective times a rigid motion
function invertView(fov, aspect, eye, right, up, back) {
  const t = Math.tan(fov / 2), m = new Float32Array(16);
  m.set([...times(t * aspect, right), 0, ...times(t, up), 0, 0, 0, 0, 0, ...sub(eye, back), 1]);
  return m;
}

const kWhole = [1, 1, 1];

class Recording {
  constructor(scene, bytes) {
    Object.assign(this, scene);
    this.bytes = bytes;
    this.at = 0;
    this.times = this.floats(scene.frames);
    this.meshes = scene.meshes.map(([points, triangles]) => ({
      points: this.floats(3 * points), normals: this.floats(3 * points),
      indices: new Uint32Array(this.floats(3 * triangles).buffer) }));
    for (const track of this.tracks) this.unpack(track);
  }
  floats(count) {
    const part = this.bytes.slice(this.at, this.at + 4 * count);
    this.at += 4 * count;
    return new Float32Array(part.buffer);
  }
  // sums of differences; low bytes come before high ones
  whole(count) {
    const values = new Uint16Array(count);
    let before = 0;
    for (let i = 0; i < count; i++) {
      const folded = this.bytes[this.at + i] | this.bytes[this.at + count + i] << 8;
      values[i] = before = before + ((folded >> 1) ^ -(folded & 1)) & 0xffff;
    }
    this.at += (2 * count + 3) >> 2 << 2;
    return values;
  }
  unpack(track) {
    const n = this.frames;
    if (!track.pose) {
      track.values = new Float32Array(7 * n);
      for (let c = 0; c < 7; c++) {
        const raw = this.whole(n), signed = new Int16Array(raw.buffer);
        for (let f = 0; f < n; f++)
          track.values[7 * f + c] = c < 3 ? track.lo[c] + track.step[c] * raw[f] : signed[f] / 32767;
      }
    }
    if (track.scaled) track.scales = this.floats(3 * n);
  }
  // [x y z qw qx qy qz] between two frames
  pose(track, frame) {
    if (track.pose) return track.pose;
    const k = Math.min(Math.floor(frame), this.frames - 1), s = frame - k, v = track.values;
    const out = [0, 0, 0, 0, 0, 0, 0], next = s > 0 && k + 1 < this.frames ? 7 : 0;
    for (let c = 0, i = 7 * k; c < 7; c++, i++) out[c] = v[i] + s * (v[i + next] - v[i]);
    const size = Math.sqrt(out[3] * out[3] + out[4] * out[4] + out[5] * out[5] + out[6] * out[6]) || 1;
    for (let c = 3; c < 7; c++) out[c] /= size;
    return out;
  }
  scale(track, frame) {
    if (!track.scales) return kWhole;
    const k = Math.min(Math.floor(frame), this.frames - 1), s = track.scales;
    return [s[3 * k], s[3 * k + 1], s[3 * k + 2]];
  }
  // the frame at a time, with what is between two of them
  frameAt(time) {
    let lo = 0, hi = this.frames - 1;
    if (time <= this.times[0]) return 0;
    if (time >= this.times[hi]) return hi;
    while (hi - lo > 1) { const m = (lo + hi) >> 1; if (this.times[m] <= time) lo = m; else hi = m; }
    return lo + (time - this.times[lo]) / (this.times[hi] - this.times[lo]);
  }
}

const kPatterns = ['plain', 'wood', 'stone', 'brushed', 'glass', 'ice', 'checker'];

class Painter {
  constructor(canvas, recording) {
    this.canvas = canvas;
    this.recording = recording;
    const gl = this.gl = canvas.getContext('webgl2', { antialias: true, alpha: false });
    if (!gl) throw new Error('no WebGL');
    this.programs = { scene: this.program(kVertex, kFragment), depth: this.program(kVertex, kDepthFragment),
                      sky: this.program(kSkyVertex, kSkyFragment) };
    this.world = new Float32Array(12 * recording.tracks.length);
    this.batches = [];
    recording.meshes.forEach((mesh, i) => {
      for (const clear of [false, true]) {
        const pieces = recording.pieces.filter(p => p[1] === i && (recording.looks[p[2]].transparency > 0.5) === clear);
        if (pieces.length) this.batches.push(this.batch(mesh, pieces, clear));
      }
    });
    this.batches.sort((a, b) => a.clear - b.clear);
    this.skyArray = gl.createVertexArray();
    this.makeShadowMap(2048);
    this.findLights();
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }
  program(vertex, fragment) {
    const gl = this.gl, made = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
    const places = {}, count = gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS);
    for (let i = 0; i < count; i++) {
      const name = gl.getActiveUniform(made, i).name;
      places[name.replace('[0]', '')] = gl.getUniformLocation(made, name);
    }
    return { made, places };
  }
  // all pieces with one mesh: drawn at once
  batch(mesh, pieces, clear) {
    const gl = this.gl, array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const fill = (data, place, width, each) => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, width, gl.FLOAT, false, 0, 0);
      gl.vertexAttribDivisor(place, each);
      return buffer;
    };
    fill(mesh.points, 0, 3, 0);
    fill(mesh.normals, 1, 3, 0);
    const looks = pieces.map(p => this.recording.looks[p[2]]), grain = pieces[0][5];
    fill(new Float32Array(looks.flatMap(l => [...l.color, l.transparency])), 5, 4, 1);
    fill(new Float32Array(looks.flatMap(l => [l.roughness, l.metallic, l.reflection, l.pattern === 'wood' ? 10 + grain : kPatterns.indexOf(l.pattern)])), 6, 4, 1);
    const pattern = new Float32Array(looks.flatMap(l => [l.size, 0]));
    const patternBuffer = fill(pattern, 7, 2, 1);
    const matrices = new Float32Array(12 * pieces.length), local = new Float32Array(12 * pieces.length), buffer = gl.createBuffer();
    pieces.forEach((piece, i) => {
      const X = piece[3], q = [X[3], X[4], X[5], X[6]], columns = [rotate(q, [1, 0, 0]), rotate(q, [0, 1, 0]), rotate(q, [0, 0, 1]), X];
      for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) local[12 * i + 4 * r + c] = columns[c][r];
    });
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, matrices.byteLength, gl.DYNAMIC_DRAW);
    for (let row = 0; row < 3; row++) {
      gl.enableVertexAttribArray(2 + row);
      gl.vertexAttribPointer(2 + row, 4, gl.FLOAT, false, 48, 16 * row);
      gl.vertexAttribDivisor(2 + row, 1);
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.indices, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    return { mesh, pieces, clear, array, matrices, local, buffer, pattern, patternBuffer };
  }
  makeShadowMap(size) {
    const gl = this.gl;
    this.depth = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.depth);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, size, size);
    for (const [key, value] of [[gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
         [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
         [gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE], [gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL]])
      gl.texParameteri(gl.TEXTURE_2D, key, value);
    this.shadowBuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowBuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.depth, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    this.shadowSize = size;
  }
  findLights() {
    const suns = this.recording.lights.filter(l => l.type === 'sun').sort((a, b) => dot(b.rgb, [1, 1, 1]) - dot(a.rgb, [1, 1, 1]));
    this.sun = suns[0] || { direction: [0, -1, 0], rgb: [0, 0, 0] };
    this.toSun = unit(times(-1, this.sun.direction));
    this.ambient = [0.03, 0.03, 0.03];
    for (const l of this.recording.lights) if (l.type === 'ambient') this.ambient = add(this.ambient, l.rgb);
    for (const l of suns.slice(1)) this.ambient = add(this.ambient, times(0.25, l.rgb)); // one sun throws shadows
    // the sky is as bright as its light; 0.43 is that of a scene without lights of its own
    this.sky = Math.max(0.04, Math.min(1.3, dot(this.ambient, [0.2126, 0.7152, 0.0722]) / 0.43));
    this.lamps = this.recording.lights.filter(l => l.type === 'point').slice(0, 4);
  }
  // Matrices of all pieces at a frame, not whole in slow motion. Plain numbers, no small arrays: there
  // may be thousands of pieces, sixty times a second.
  pose(frame) {
    const gl = this.gl, recording = this.recording, world = this.world;
    recording.tracks.forEach((track, k) => this.place(world, 12 * k, track, frame));
    for (const batch of this.batches) {
      const out = batch.matrices, local = batch.local;
      batch.pieces.forEach((piece, i) => {
        const w = 12 * piece[0], l = 12 * i;
        for (let r = 0; r < 12; r += 4) {
          const x = world[w + r], y = world[w + r + 1], z = world[w + r + 2];
          for (let c = 0; c < 4; c++) out[l + r + c] = x * local[l + c] + y * local[l + 4 + c] + z * local[l + 8 + c];
          out[l + r + 3] += world[w + r + 3];
        }
      });
      gl.bindBuffer(gl.ARRAY_BUFFER, batch.buffer);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, out);
    }
  }
  // rows of the 3x4 matrix of a track
  place(rows, at, track, frame) {
    const p = this.recording.pose(track, frame), s = this.recording.scale(track, frame);
    const w = p[3], x = p[4], y = p[5], z = p[6];
    rows[at] = s[0] * (1 - 2 * (y * y + z * z)); rows[at + 1] = s[1] * 2 * (x * y - w * z); rows[at + 2] = s[2] * 2 * (x * z + w * y);
    rows[at + 4] = s[0] * 2 * (x * y + w * z); rows[at + 5] = s[1] * (1 - 2 * (x * x + z * z)); rows[at + 6] = s[2] * 2 * (y * z - w * x);
    rows[at + 8] = s[0] * 2 * (x * z - w * y); rows[at + 9] = s[1] * 2 * (y * z + w * x); rows[at + 10] = s[2] * (1 - 2 * (x * x + y * y));
    rows[at + 3] = p[0]; rows[at + 7] = p[1]; rows[at + 11] = p[2];
  }
  pick(track) {
    const gl = this.gl;
    for (const batch of this.batches) {
      batch.pieces.forEach((piece, i) => { batch.pattern[2 * i + 1] = piece[0] === track ? 1 : 0; });
      gl.bindBuffer(gl.ARRAY_BUFFER, batch.patternBuffer);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, batch.pattern);
    }
  }
  drawBatches(planes) {
    const gl = this.gl;
    for (const batch of this.batches) {
      if (!planes && batch.pieces[0][4]) continue;
      if (batch.clear) { gl.enable(gl.BLEND); gl.depthMask(false); }
      gl.bindVertexArray(batch.array);
      gl.drawElementsInstanced(gl.TRIANGLES, batch.mesh.indices.length, gl.UNSIGNED_INT, 0, batch.pieces.length);
    }
    gl.disable(gl.BLEND);
    gl.depthMask(true);
  }
  // The sun sees the ball about the scene.
  drawShadows() {
    const gl = this.gl, r = this.recording, center = times(0.5, add(r.lo, r.hi));
    const radius = 0.5 * Math.hypot(...sub(r.hi, r.lo)) || 1, back = this.toSun;
    const right = unit(cross(Math.abs(back[1]) > 0.99 ? [1, 0, 0] : [0, 1, 0], back)), up = cross(back, right);
    const view = look(add(center, times(2 * radius, back)), right, up, back), s = 1 / radius;
    const flat = new Float32Array([s, 0, 0, 0, 0, s, 0, 0, 0, 0, -2 / (3.5 * radius), 0, 0, 0, -1 - 2 * 0.25 * radius / (3.5 * radius), 1]);
    this.shadowView = multiply(flat, view);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowBuffer);
    gl.viewport(0, 0, this.shadowSize, this.shadowSize);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.programs.depth.made);
    gl.uniformMatrix4fv(this.programs.depth.places.uView, false, this.shadowView);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(2, 2);
    this.drawBatches(false);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }
  draw(camera, shadows) {
    const gl = this.gl, canvas = this.canvas, ratio = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    if (shadows) this.drawShadows();
    const { eye, right, up, back, fov } = camera, size = Math.hypot(...sub(this.recording.hi, this.recording.lo)) || 1;
    const reach = Math.hypot(...sub(eye, times(0.5, add(this.recording.lo, this.recording.hi))));
    const view = multiply(perspective(fov, width / height, 1e-3 * size + 1e-3 * reach, 12 * size + 2 * reach), look(eye, right, up, back));
    gl.viewport(0, 0, width, height);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.disable(gl.DEPTH_TEST);
    gl.useProgram(this.programs.sky.made);
    gl.uniformMatrix4fv(this.programs.sky.places.uInverse, false, invertView(fov, width / height, eye, right, up, back));
    gl.uniform3fv(this.programs.sky.places.uEye, eye);
    gl.uniform1f(this.programs.sky.places.uSky, this.sky);
    gl.bindVertexArray(this.skyArray);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.enable(gl.DEPTH_TEST);
    const { made, places } = this.programs.scene;
    gl.useProgram(made);
    gl.uniformMatrix4fv(places.uView, false, view);
    gl.uniform3fv(places.uEye, eye);
    gl.uniform3fv(places.uToSun, this.toSun);
    gl.uniform3fv(places.uSun, this.sun.rgb);
    gl.uniform3fv(places.uAmbient, this.ambient);
    gl.uniform1f(places.uSky, this.sky);
    const lamps = new Float32Array(16), colors = new Float32Array(12);
    this.lamps.forEach((l, i) => { lamps.set([...l.position, 1], 4 * i); colors.set(l.rgb, 3 * i); });
    gl.uniform4fv(places.uLamps, lamps);
    gl.uniform3fv(places.uLampColors, colors);
    gl.uniform1f(places.uShadows, shadows ? 1 : 0);
    gl.uniform1f(places.uFar, 5 * size + reach);
    gl.uniform1i(places.uDepth, 0);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.depth);
    if (shadows) gl.uniformMatrix4fv(places.uShadow, false, this.shadowView);
    this.drawBatches(true);
  }
  // The nearest piece on a ray: its track and distance; planes are not picked.
  hit(from, direction) {
    let best = { distance: Infinity, track: -1 };
    for (const batch of this.batches) {
      if (batch.pieces[0][4]) continue;
      const { points, indices } = batch.mesh, m = batch.matrices;
      let reach = 0;
      for (let k = 0; k < points.length; k += 3) reach = Math.max(reach, Math.hypot(points[k], points[k + 1], points[k + 2]));
      batch.pieces.forEach((piece, i) => {
        // past the ball about it
        const to = sub([m[12 * i + 3], m[12 * i + 7], m[12 * i + 11]], from), along = dot(to, direction);
        const stretch = Math.max(...[0, 1, 2].map(c => Math.hypot(m[12 * i + c], m[12 * i + 4 + c], m[12 * i + 8 + c])));
        if (Math.hypot(...sub(to, times(along, direction))) > 1.01 * reach * stretch) return;
        const at = k => [0, 1, 2].map(r => m[12 * i + 4 * r] * points[3 * k] + m[12 * i + 4 * r + 1] * points[3 * k + 1]
          + m[12 * i + 4 * r + 2] * points[3 * k + 2] + m[12 * i + 4 * r + 3]);
        for (let t = 0; t < indices.length; t += 3) {
          const a = at(indices[t]), e1 = sub(at(indices[t + 1]), a), e2 = sub(at(indices[t + 2]), a);
          const h = cross(direction, e2), det = dot(e1, h);
          if (Math.abs(det) < 1e-18) continue;
          const s = sub(from, a), u = dot(s, h) / det, q = cross(s, e1), v = dot(direction, q) / det, d = dot(e2, q) / det;
          if (u >= 0 && v >= 0 && u + v <= 1 && d > 0 && d < best.distance) best = { distance: d, track: piece[0] };
        }
      });
    }
    return best;
  }
}
)js";

}  // namespace tenon::exports
