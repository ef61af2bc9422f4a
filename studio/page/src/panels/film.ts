// Film mode: cameras, shots, lights, and films made of the take on the stage: by the command in the
// background where there is a server, else from what is seen.
import * as THREE from 'three';
import type { Answer } from '../link/link';
import type { Editor } from '../model/editor';
import type { Store } from '../model/store';
import { Mp4Film, mp4Codec } from '../app/mp4';
import { WebmFilm } from '../app/webm';
import { type Toasts, h } from '../ui/dom';
import { t } from '../ui/texts';
import { shotAt } from '../viewport/cameras';
import type { Stage } from '../viewport/stage';
import type { Views } from '../viewport/views';
import { dialog } from './dialogs';

const round = (x: number) => Number(x.toFixed(4));
const list = (v: THREE.Vector3) => [v.x, v.y, v.z].map(round);

export function makeFilm(store: Store, editor: Editor, views: Views, stage: Stage, toasts: Toasts) {
  const camera = views.views[3];

  // The camera view as a camera of the scene; mounted: moving with the selected body.
  async function addCamera(mount: boolean) {
    const body = store.selectionKind === 'body' ? store.selection[0] : undefined;
    if (mount && !body) return toasts.show(t('mount_first'), 'error');
    views.through = null;
    views.place(camera);
    const position = camera.camera.position.clone();
    const target = camera.target.clone();
    const up = new THREE.Vector3(0, 1, 0);
    const value: Answer = { fov: `${Math.round((camera.camera as THREE.PerspectiveCamera).fov)} deg` };
    if (mount && body) {
      const [x, y, z, qw, qx, qy, qz] = store.pose(body);
      const back = new THREE.Quaternion(qx, qy, qz, qw).invert();
      for (const v of [position, target]) v.sub(new THREE.Vector3(x, y, z)).applyQuaternion(back);
      up.applyQuaternion(back);
      Object.assign(value, { type: 'mounted', body, up: list(up) });
    }
    const name = await editor.add('camera', mount ? `${t('on')} ${body}` : t('camera').toLowerCase(), { ...value, position: list(position), look_at: list(target) });
    if (name) look(name);
  }
  function look(name: string | null) {
    views.through = name;
    views.followShots = false;
    views.redraw();
    store.tell('show');
  }
  function cycle(dir: number) {
    const names = [null, ...store.scene!.cameras.filter((c) => !c.auto).map((c) => c.name)];
    look(names[(names.indexOf(views.through) + dir + names.length) % names.length]);
  }
  async function addLight() {
    // the usual light, which a light of its own would put out, becomes one of the scene
    const usual = [
      { name: store.freeName(t('sun')), type: 'sun', direction: [0.45, -1, -0.55], color: '#fff7e9', intensity: 1 },
      { name: store.freeName(t('sky')), type: 'ambient', color: '#edf5ff', intensity: 0.47 },
    ];
    if (!store.scene!.lights.length) await editor.edit(usual.map((value) => ({ op: 'add', path: ['lights'], value })), t('usual_light')).catch(() => {});
    await editor.add('light', t('light').toLowerCase(), { type: 'point', position: list(camera.target.clone().add(new THREE.Vector3(0, 0.6 * camera.span, 0))), intensity: 1 });
  }
  // From the playhead on, what is looked through now.
  function addShot() {
    const cameras = store.scene!.cameras.filter((c) => !c.auto);
    const name = views.through ?? (store.selectionKind === 'camera' ? store.selection[0] : cameras[0]?.name);
    if (!name) return toasts.show(t('camera_first'), 'error');
    const now = round(store.frame?.time ?? 0);
    if (store.scene!.shots.length && shotAt(store, now) === name) return toasts.show(t('same_shot', { name }), 'error');
    const shots = store.scene!.shots.filter((s) => Math.abs(s.t - now) > 1e-6);
    if (now > 0 && shots.length === 0) shots.push({ t: 0, camera: cameras.find((c) => c.name !== name)?.name ?? name });
    void editor.setShots([...shots, { t: now, camera: name }], t('add_shot'));
  }
  let before: typeof views.single = null;
  function mode() {
    views.filming = !views.filming;
    document.body.dataset.film = String(views.filming);
    document.querySelector('[data-action="film"]')?.setAttribute('aria-pressed', String(views.filming));
    if (views.filming) before = views.single;
    views.single = views.filming ? 'camera' : before;
    views.followShots = views.filming && store.scene!.cameras.length > 0;
    if (!views.filming) views.through = null;
    views.resize();
    store.tell('show');
  }
  views.beforeCamera = () => {
    if (views.followShots) views.through = shotAt(store, store.frame?.time ?? 0);
    if (views.through && !store.scene?.cameras.some((c) => c.name === views.through)) views.through = null;
    return views.through ? (store.scene!.cameras.find((c) => c.name === views.through) ?? null) : null;
  };

  // --- films
  const native = () => store.hello.capabilities?.includes('render');
  const jobs = h('div', { class: 'jobs', 'aria-live': 'polite' });
  let polling = 0;
  // Rows stay as long as they say the same: a press on one, or its focus, must not be lost to news of another.
  const rows = new Map<number, { told: string; element: HTMLElement; bar: HTMLProgressElement | null }>();
  const rowOf = (job: Answer) => {
    const told = JSON.stringify([job.state, job.name, job.file, job.state === 'failed' && job.said]);
    const known = rows.get(job.job);
    if (known?.told === told) {
      if (known.bar) [known.bar.max, known.bar.value] = [job.of || 1, job.done];
      return known.element;
    }
    const bar = job.state === 'running' ? h('progress', { max: job.of || 1, value: job.done, 'aria-label': job.name }) : null;
    const element = h(
      'div',
      { class: 'job', 'data-state': job.state, 'data-job': job.job },
      h('span', {}, `${job.job}. ${job.name}`),
      bar,
      job.state === 'done' ? h('a', { href: job.file, download: called(job.name) }, t('download')) : h('em', {}, job.state === 'failed' ? job.said : t(`job_${job.state}`)),
      (job.state === 'running' || job.state === 'waiting') && h('button', { type: 'button', onclick: () => void editor.request('render', { cancel: job.job }) }, t('cancel')),
    );
    rows.set(job.job, { told, element, bar });
    return element;
  };
  const poll = async () => {
    const answer = await editor.quiet('jobs');
    const all: Answer[] = answer?.jobs ?? [];
    const wanted = all.reverse().map(rowOf);
    if (wanted.length !== jobs.children.length || wanted.some((row, i) => row !== jobs.children[i])) jobs.replaceChildren(...wanted);
    clearTimeout(polling);
    if (all.some((job) => job.state === 'running' || job.state === 'waiting')) polling = window.setTimeout(() => void poll(), 500);
    else if (polling && all[0]?.state === 'done') toasts.show(t('film_done', { name: all[0].name }), 'note', [{ label: t('download'), perform: () => h('a', { href: all[0].file, download: called(all[0].name) }).click() }]);
  };
  // By the scene, whatever the command calls it.
  const called = (file: string) => {
    const title = (store.scene?.title || store.scene?.name.replace(/\.\w+$/, '') || 'film').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '').toLowerCase();
    return `${title || 'film'}${/\.[\w.]+$/.exec(file)?.[0] ?? ''}`;
  };
  const choice = (label: string, name: string, options: [string, string][], value: string) => h('label', { class: 'ask' }, h('span', {}, label), h('select', { name, 'aria-label': label }, ...options.map(([v, text]) => h('option', { value: v, selected: v === value }, text))));
  const number = (label: string, name: string, value: string | number) => h('label', { class: 'ask' }, h('span', {}, label), h('input', { type: 'text', name, value, 'aria-label': label }));

  function open() {
    if (!native()) return openPlain();
    const end = round(store.timeOf(store.state?.end ?? 0));
    const cameras: [string, string][] = [['', t('shots')], ['auto', t('automatic')], ...store.scene!.cameras.map((c): [string, string] => [c.name, c.name])];
    const form = h(
      'form',
      { class: 'asking' },
      choice(t('what'), 'kind', [['mp4', t('film') + ' MP4'], ['webm', t('film') + ' WebM'], ['gif', t('film') + ' GIF'], ['png', t('still')], ['gltf', 'glTF'], ['html', t('replay')], ['pov', 'POV-Ray']], 'mp4'),
      choice(t('picture_size'), 'size', [['640x360', '640 × 360'], ['854x480', '854 × 480'], ['1280x720', '1280 × 720'], ['1920x1080', '1920 × 1080'], ['3840x2160', '3840 × 2160']], '1280x720'),
      choice(t('quality'), 'quality', [['draft', t('draft')], ['film', t('film')], ['photo', t('photo')]], 'film'),
      choice(t('rate'), 'fps', [['15', '15'], ['25', '25'], ['30', '30'], ['60', '60']], '25'),
      choice(t('camera'), 'camera', cameras, ''),
      choice(t('stereo_kind'), 'stereo', [['none', '–'], ['anaglyph', t('red_cyan')], ['anaglyph-red-green', t('red_green')], ['side-by-side', t('side_by_side')]], 'none'),
      number(t('slow_times'), 'slow', 1),
      number(t('blur_share'), 'blur', 0),
      number(`${t('from')} (s)`, 'from', 0),
      number(`${t('until')} (s)`, 'to', end),
      end === 0 && h('p', { class: 'hint' }, t('run_first')),
      h('button', { type: 'submit', class: 'primary', disabled: end === 0 }, t('make_it')),
    );
    // only what matters for what is made
    const about = () => {
      const kind = form.querySelector<HTMLSelectElement>('[name=kind]')!.value;
      const film = ['mp4', 'webm', 'gif'].includes(kind);
      for (const row of form.querySelectorAll<HTMLElement>('.ask')) {
        const name = row.querySelector<HTMLInputElement>('[name]')!.name;
        row.hidden = name !== 'kind' && !film && !(kind === 'png' && ['size', 'quality', 'camera', 'stereo'].includes(name));
      }
    };
    form.onchange = about;
    about();
    form.onsubmit = async (e) => {
      e.preventDefault();
      const data = new FormData(form as HTMLFormElement);
      const text = (name: string) => String(data.get(name) ?? '');
      const kind = text('kind');
      const film = ['mp4', 'webm', 'gif', 'png'].includes(kind);
      const values: Answer = film ? { kind: 'film', format: kind, size: text('size'), quality: text('quality'), camera: text('camera'), stereo: text('stereo') } : { kind };
      const bounds: Record<string, [number, number]> = { fps: [1, 240], slow: [1e-4, 1e4], blur: [0, 1], from: [0, end], to: [0, end] };
      for (const name of film && kind !== 'png' ? Object.keys(bounds) : []) {
        const field = form.querySelector<HTMLInputElement>(`[name=${name}]`)!;
        const [low, high] = bounds[name];
        values[name] = text(name).trim() === '' ? NaN : Number(text(name).replace(',', '.'));
        if (values[name] >= low && values[name] <= high) continue;
        toasts.show(t('not_a_number', { field: field.getAttribute('aria-label')!, value: `“${text(name)}”`, low, high }), 'error');
        return field.focus();
      }
      if (kind === 'png') values.at = round(store.frame?.time ?? 0);
      if (await editor.request('render', values)) {
        polling = 1;
        void poll();
      }
    };
    dialog(t('render'), form, jobs);
    void poll();
  }

  const done = h('div', { class: 'jobs', 'aria-live': 'polite' }); // the page may go on meanwhile
  // Without a server: the camera view, picture by picture, encoded by the browser.
  function openPlain() {
    const form = h('form', { class: 'asking' }, h('p', { class: 'hint' }, t('film_plain')), choice(t('what'), 'kind', [['mp4', t('film') + ' MP4'], ['webm', t('film') + ' WebM']], 'mp4'), choice(t('picture_size'), 'size', [['', t('as_seen')], ['426x240', '426 × 240'], ['640x360', '640 × 360'], ['1280x720', '1280 × 720'], ['1920x1080', '1920 × 1080']], '1280x720'), choice(t('rate'), 'fps', [['15', '15'], ['25', '25'], ['30', '30']], '25'), h('button', { type: 'submit', class: 'primary' }, t('make_it')));
    form.onsubmit = (e) => {
      e.preventDefault();
      const data = new FormData(form as HTMLFormElement);
      const [w, hgt] = String(data.get('size')).split('x').map(Number);
      void record(Number(data.get('fps')), done, String(data.get('kind')), hgt ? [w, hgt] : null);
    };
    dialog(t('render'), form, done);
  }
  async function record(fps: number, done: HTMLElement, kind: string, wanted: [number, number] | null) {
    const end = store.state?.end ?? 0;
    if (end === 0) return toasts.show(t('run_first'), 'error');
    if (!WebmFilm.available()) return toasts.show(t('no_encoder'), 'error');
    const here = store.state!.step;
    const [single, follow] = [views.single, views.followShots];
    const [picked, pickedKind] = [store.selection, store.selectionKind];
    store.select([]);
    views.recording = true;
    views.beforeRecording();
    views.single = 'camera';
    // as cut, where there are cameras and none is looked through
    if (store.scene!.cameras.length && !views.through) views.followShots = true;
    views.fixSize(wanted);
    // encoders want even sizes
    const [w, hgt] = [views.canvas.width & ~1, views.canvas.height & ~1];
    const codec = kind === 'mp4' ? await mp4Codec(w, hgt) : null;
    const type = codec ? 'mp4' : 'webm';
    const frames = Math.floor(store.timeOf(end) * fps + 1e-6) + 1;
    const bar = h('progress', { max: frames, value: 0, 'aria-label': t('film') });
    let stopped = false;
    const cancel = h('button', { type: 'button', onclick: () => (stopped = true) }, t('cancel'));
    const note = kind === 'mp4' && !codec ? t('no_mp4') : codec && codec.name !== 'H.264' ? t('mp4_codec', { codec: codec.name }) : '';
    done.replaceChildren(h('div', { class: 'job', 'data-state': 'running' }, bar, cancel));
    try {
      const film = codec ? new Mp4Film(w, hgt, fps, codec.codec) : new WebmFilm(w, hgt, fps);
      const page = h('canvas', { width: w, height: hgt });
      for (let k = 0; k < frames && !stopped; ++k) {
        // the answer comes before its frame
        const step = Math.min(end, store.stepOf(k / fps));
        const shown = store.nextFrame((frame) => Math.round(frame.step) === step, 20_000);
        if (!(await editor.quiet('seek', { step })) || !(await shown)) throw new Error(t('film_no_frame', { t: (k / fps).toFixed(2) }));
        stage.move();
        views.drawNow();
        page.getContext('2d')!.drawImage(views.canvas, 0, 0);
        await film.add(page, k);
        bar.value = k + 1;
      }
      const blob = stopped ? null : await film.finish();
      const told = blob && `film.${type}, ${frames} ${t('frames')}, ${(blob.size / 1e6).toFixed(2)} MB. ${note}`;
      done.replaceChildren(...(blob ? [h('div', { class: 'job', 'data-state': 'done' }, h('span', {}, told!), h('a', { href: URL.createObjectURL(blob), download: called(`film.${type}`) }, t('download')))] : []));
    } catch (error) {
      done.replaceChildren(h('div', { class: 'job', 'data-state': 'failed' }, h('em', {}, String(error))));
    }
    views.recording = false;
    views.single = single;
    views.followShots = follow;
    store.select(picked, pickedKind);
    if (!follow) views.through = null;
    views.fixSize(null);
    void editor.seek(here);
  }
  return { addCamera, addLight, addShot, cycle, look, mode, open };
}
