// The part of the replay page that a person touches: camera, timeline, keys.
#include "tenon/render/export/detail/replay_page.h"

namespace tenon::exports {

const char* const kReplayControl = R"js(
// Turns about a point: yaw, pitch and distance. A camera of the scene gives the start.
class Orbit {
  constructor() { this.target = [0, 0, 0]; this.yaw = 0; this.pitch = 0; this.distance = 1; this.fov = 0.8; this.free = false; }
  from(pose, fov, focus) {
    const q = [pose[3], pose[4], pose[5], pose[6]], back = rotate(q, [0, 0, 1]);
    this.fixed = { eye: pose.slice(0, 3), right: rotate(q, [1, 0, 0]), up: rotate(q, [0, 1, 0]), back, fov };
    this.fov = fov;
    this.distance = focus;
    this.target = sub(this.fixed.eye, times(focus, back));
    this.yaw = Math.atan2(back[0], back[2]);
    this.pitch = Math.asin(Math.max(-1, Math.min(1, back[1])));
  }
  // as the scene's camera has it, until somebody turns it
  view() {
    if (!this.free) return this.fixed;
    const c = Math.cos(this.pitch), back = [c * Math.sin(this.yaw), Math.sin(this.pitch), c * Math.cos(this.yaw)];
    const right = [Math.cos(this.yaw), 0, -Math.sin(this.yaw)];
    return { eye: add(this.target, times(this.distance, back)), right, up: cross(back, right), back, fov: this.fov };
  }
  turn(dx, dy) {
    this.free = true;
    this.yaw -= dx;
    this.pitch = Math.max(-1.55, Math.min(1.55, this.pitch + dy));
  }
  // shares of the picture's height
  move(dx, dy) {
    this.free = true;
    const { right, up } = this.view(), size = 2 * this.distance * Math.tan(this.fov / 2);
    this.target = add(this.target, add(times(-dx * size, right), times(dy * size, up)));
  }
  zoom(factor) {
    this.free = true;
    this.distance = Math.max(this.nearest, Math.min(this.farthest, this.distance * factor));
  }
}

class Player {
  constructor(recording, painter) {
    Object.assign(this, { recording, painter, playing: false, direction: 1, speed: 1, loop: 'again',
                          shadows: true, dirty: true, picked: -1, follow: false, draws: 0 });
    this.begin = recording.times[0];
    this.end = recording.times[recording.frames - 1];
    this.time = this.begin;
    this.orbit = new Orbit();
    const size = Math.hypot(...sub(recording.hi, recording.lo)) || 1;
    this.orbit.nearest = 1e-3 * size;
    this.orbit.farthest = 30 * size;
    this.camera = recording.shots.length > 1 ? -1 : recording.shots[0][1]; // -1: the scene's shots
    this.prepare();
    requestAnimationFrame(now => this.tick(now));
  }
  get frame() { return this.recording.frameAt(this.time); }
  prepare() {
    const r = this.recording;
    $('title').textContent = r.title;
    document.title = r.title;
    const bodies = new Set(r.tracks.filter(t => t.body !== undefined).map(t => t.body)).size;
    $('facts').textContent = `${bodies} ${bodies === 1 ? 'body' : 'bodies'}, ${(this.end - this.begin).toPrecision(4)} s, ` +
      `${r.frames} ${r.frames === 1 ? 'frame' : 'frames'}; ${r.source}, tenon ${r.version}`;
    for (const s of [0.05, 0.1, 0.25, 0.5, 1, 2, 4]) $('speed').add(new Option(s + '\u00d7', s, s === 1, s === 1));
    if (r.shots.length > 1) $('camera').add(new Option('shots', -1, true, true));
    r.cameras.forEach(([track], i) => $('camera').add(new Option(r.tracks[track].name, i, i === this.camera, i === this.camera)));
    $('time').min = this.begin;
    $('time').max = this.end;
    $('play').onclick = () => this.play(this.playing && this.direction > 0 ? 0 : 1);
    $('back').onclick = () => this.play(this.playing && this.direction < 0 ? 0 : -1);
    $('previous').onclick = () => this.step(-1);
    $('next').onclick = () => this.step(1);
    $('time').oninput = () => this.seek(Number($('time').value));
    $('speed').onchange = () => { this.speed = Number($('speed').value); };
    $('loop').onchange = () => { this.loop = $('loop').value; };
    $('camera').onchange = () => { this.camera = Number($('camera').value); this.orbit.free = false; this.follow = false; this.dirty = true; };
    $('shadows').onclick = () => { this.shadows = !this.shadows; $('shadows').setAttribute('aria-pressed', this.shadows); this.dirty = true; };
    $('ask').onclick = () => this.help();
    new ResizeObserver(() => { this.dirty = true; }).observe(this.painter.canvas);
  }
  help() {
    $('help').hidden = !$('help').hidden;
    $('ask').setAttribute('aria-pressed', !$('help').hidden);
  }
  // 1 on, -1 back, 0 stop; from the end it starts again
  play(direction) {
    this.playing = direction !== 0;
    if (direction) this.direction = direction;
    if (direction > 0 && this.time >= this.end) this.time = this.begin;
    if (direction < 0 && this.time <= this.begin) this.time = this.end;
    $('play').setAttribute('aria-pressed', this.playing && this.direction > 0);
    $('back').setAttribute('aria-pressed', this.playing && this.direction < 0);
    this.dirty = true;
  }
  seek(time) { this.time = Math.max(this.begin, Math.min(this.end, time)); this.dirty = true; }
  step(frames) {
    this.play(0);
    const now = this.frame, k = frames > 0 ? Math.floor(now + 1e-6) : Math.ceil(now - 1e-6);
    this.seek(this.recording.times[Math.max(0, Math.min(this.recording.frames - 1, k + frames))]);
  }
  advance(seconds) {
    const length = this.end - this.begin;
    let t = this.time + this.direction * this.speed * seconds;
    if (!(length > 0)) return this.play(0);
    if (t >= this.begin && t <= this.end) return this.seek(t);
    if (this.loop === 'again') {
      t = this.begin + ((t - this.begin) % length + length) % length;
    } else if (this.loop === 'both') {
      t = t > this.end ? 2 * this.end - t : 2 * this.begin - t;
      this.play(-this.direction);
    } else {
      t = t > this.end ? this.end : this.begin;
      this.play(0);
    }
    this.seek(t);
  }
  tick(now) {
    const seconds = Math.min(0.25, (now - (this.before ?? now)) / 1000);
    this.before = now;
    if (this.playing) this.advance(seconds);
    if (this.dirty) this.draw();
    requestAnimationFrame(later => this.tick(later));
  }
  draw() {
    this.dirty = false;
    const r = this.recording, frame = this.frame;
    this.painter.pose(frame);
    const shot = r.shots.reduce((last, [begin, camera]) => begin <= frame ? camera : last, 0);
    const [track, fov, focus] = r.cameras[this.camera < 0 ? shot : this.camera];
    if (!this.orbit.free) this.orbit.from(r.pose(r.tracks[track], frame), fov, focus);
    if (this.follow && this.picked >= 0) {
      const p = r.pose(r.tracks[this.picked], frame).slice(0, 3);
      if (this.followed) this.orbit.target = add(this.orbit.target, sub(p, this.followed));
      this.followed = p;
    }
    this.painter.draw(this.orbit.view(), this.shadows);
    $('time').value = this.time;
    $('clock').textContent = `${this.time.toFixed(3)} s \u00b7 ${Math.floor(frame + 1e-6)}`;
    if (this.picked >= 0) {
      const p = r.pose(r.tracks[this.picked], frame);
      $('picked').textContent = `${r.tracks[this.picked].name}: ${p.slice(0, 3).map(v => v.toFixed(3)).join(', ')} m` +
        (this.follow ? ', followed' : ', F follows it');
    } else {
      $('picked').textContent = '';
    }
    this.draws++;
  }
  pickAt(x, y) {
    const canvas = this.painter.canvas, { eye, right, up, back, fov } = this.orbit.view(), t = Math.tan(fov / 2);
    const u = (2 * x / canvas.clientWidth - 1) * t * canvas.clientWidth / canvas.clientHeight, v = (1 - 2 * y / canvas.clientHeight) * t;
    this.picked = this.painter.hit(eye, unit(add(add(times(u, right), times(v, up)), times(-1, back)))).track;
    this.follow = false;
    this.painter.pick(this.picked);
    this.dirty = true;
  }
  followPicked() {
    if (this.picked < 0) return;
    this.follow = !this.follow;
    this.followed = null;
    this.orbit.free = true;
    this.dirty = true;
  }
}

function listen(player) {
  const canvas = player.painter.canvas, orbit = player.orbit, active = new Map();
  let travelled = 0;
  const spread = () => { const [a, b] = [...active.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
  canvas.addEventListener('contextmenu', e => e.preventDefault());
  canvas.addEventListener('pointerdown', e => {
    canvas.setPointerCapture(e.pointerId);
    canvas.focus();
    active.set(e.pointerId, { x: e.clientX, y: e.clientY });
    travelled = 0;
    canvas.classList.add('dragging');
  });
  canvas.addEventListener('pointermove', e => {
    const last = active.get(e.pointerId);
    if (!last) return;
    const dx = e.clientX - last.x, dy = e.clientY - last.y, height = canvas.clientHeight;
    travelled += Math.hypot(dx, dy);
    if (active.size >= 2) {
      const before = spread();
      last.x = e.clientX; last.y = e.clientY;
      orbit.zoom(before / (spread() || 1));
      orbit.move(dx / height / active.size, dy / height / active.size);
    } else {
      last.x = e.clientX; last.y = e.clientY;
      if (e.buttons & 6 || e.shiftKey) orbit.move(dx / height, dy / height);
      else orbit.turn(dx * 4 / height, dy * 4 / height);
    }
    player.dirty = true;
  });
  const release = e => {
    if (!active.delete(e.pointerId)) return;
    canvas.classList.remove('dragging');
    if (travelled < 4 && e.type === 'pointerup') player.pickAt(e.offsetX, e.offsetY);
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('wheel', e => {
    e.preventDefault();
    orbit.zoom(Math.exp(Math.max(-100, Math.min(100, e.deltaY)) * (e.deltaMode ? 0.05 : 0.0015)));
    player.dirty = true;
  }, { passive: false });
  canvas.addEventListener('webglcontextlost', e => { e.preventDefault(); complain('The browser took the graphics away. Load the page again.'); });
  const speeds = $('speed'), loops = $('loop');
  const choose = (list, by, wrap) => {
    const n = list.options.length, k = list.selectedIndex + by;
    list.selectedIndex = wrap ? (k + n) % n : Math.max(0, Math.min(n - 1, k));
    list.onchange();
  };
  const keys = {
    ' ': () => player.play(player.playing ? 0 : player.direction), r: () => player.play(-player.direction),
    ArrowLeft: e => player.step(e.shiftKey ? -10 : -1), ArrowRight: e => player.step(e.shiftKey ? 10 : 1),
    Home: () => player.seek(player.begin), End: () => player.seek(player.end),
    '[': () => choose(speeds, -1), ']': () => choose(speeds, 1), l: () => choose(loops, 1, true),
    a: () => orbit.turn(0.08, 0), d: () => orbit.turn(-0.08, 0), w: () => orbit.turn(0, 0.06), s: () => orbit.turn(0, -0.06),
    '+': () => orbit.zoom(0.9), '=': () => orbit.zoom(0.9), '-': () => orbit.zoom(1 / 0.9),
    0: () => { orbit.free = false; player.follow = false; }, f: () => player.followPicked(), h: () => player.help(), '?': () => player.help(),
    Escape: () => { player.picked = -1; player.follow = false; player.painter.pick(-1); },
  };
  document.addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.tagName === 'SELECT') return;
    if (e.target.tagName === 'BUTTON' && e.key === ' ') return; // presses that button
    const act = keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!act) return;
    e.preventDefault();
    act(e);
    player.dirty = true;
  });
}

async function unpack() {
  const text = $('data').textContent, packed = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  $('data').remove();
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

(async () => {
  if (typeof DecompressionStream === 'undefined')
    return complain('This browser is too old to unpack the recording. Browsers from 2023 on can.');
  try {
    const recording = new Recording(JSON.parse($('scene').textContent), await unpack());
    let painter;
    try {
      painter = new Painter($('view'), recording);
    } catch (error) {
      console.warn(error.message);
      return complain('This page draws with WebGL 2, which this browser does not offer or has switched off ' +
        '(' + error.message.slice(0, 200) + '). Try another browser, or turn on hardware acceleration in its settings. ' +
        'A picture without it is made by: tenon export RUN --svg picture.svg');
    }
    window.replay = new Player(recording, painter);
    listen(window.replay);
    $('message').hidden = true;
    window.replay.play(1);
  } catch (error) {
    complain('The recording in this page is damaged: ' + error.message);
    throw error;
  }
})();
)js";

}  // namespace tenon::exports
