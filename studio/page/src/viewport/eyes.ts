// The camera view for two eyes: in the colours of glasses, or side by side. The screen is at the
// distance of what is looked at, so that parallax there is zero; a thirtieth of that distance lies
// between the eyes.
import * as THREE from 'three';
import { seeThrough } from './cameras';
import type { Stage } from './stage';
import type { View, Views } from './views';

export function drawEyes(views: Views, stage: Stage, view: View) {
  const camera = view.camera as THREE.PerspectiveCamera;
  const sight = views.beforeCamera();
  const distance = camera.position.distanceTo(sight ? seeThrough(sight, stage.store).target : view.target);
  const rig = new THREE.StereoCamera();
  camera.focus = distance;
  rig.eyeSep = distance / 30;
  camera.updateMatrixWorld();
  rig.update(camera);
  if (views.stereo === 'side-by-side') drawBeside(views, stage, view, rig);
  else drawInColours(views, stage, rig);
}

function drawInColours(views: Views, stage: Stage, rig: THREE.StereoCamera) {
  const { renderer } = views;
  const gl = renderer.getContext();
  const clear = renderer.autoClear;
  for (const [i, eye] of [rig.cameraL, rig.cameraR].entries()) {
    // shadows are drawn once, before the colours are masked
    renderer.shadowMap.autoUpdate = false;
    if (i === 0) gl.colorMask(true, false, false, true);
    else gl.colorMask(false, true, views.stereo === 'red-cyan', true);
    if (i > 0) renderer.clear(false, true, true);
    renderer.autoClear = i === 0;
    renderer.render(stage.scene, eye);
  }
  gl.colorMask(true, true, true, true);
  renderer.autoClear = clear;
  renderer.shadowMap.needsUpdate = true;
}
// The left eye's picture on the left, for viewers with two lenses and for parallel eyes.
function drawBeside(views: Views, stage: Stage, view: View, rig: THREE.StereoCamera) {
  const { renderer } = views;
  const bottom = views.canvas.clientHeight - view.top - view.height;
  const half = Math.floor(view.width / 2);
  for (const [i, eye] of [rig.cameraL, rig.cameraR].entries()) {
    renderer.setViewport(view.left + i * half, bottom, half, view.height);
    renderer.setScissor(view.left + i * half, bottom, half, view.height);
    renderer.shadowMap.autoUpdate = i === 0;
    renderer.render(stage.scene, eye);
  }
}
