// The stage through glasses, where the browser offers them (WebXR). The viewer stands where the
// camera view stands, at eye level there; the run goes on meanwhile.
import * as THREE from 'three';
import type { Stage } from './stage';
import type { Views } from './views';

export async function xrOffered(): Promise<boolean> {
  const xr = (navigator as { xr?: XRSystem }).xr;
  return (await xr?.isSessionSupported('immersive-vr').catch(() => false)) ?? false;
}

export async function enterXr(views: Views, stage: Stage) {
  const { renderer } = views;
  const session = await (navigator as { xr?: XRSystem }).xr!.requestSession('immersive-vr', { optionalFeatures: ['local-floor'] });
  const view = views.views[3];
  views.place(view);
  // the floor below the camera, and its heading; glasses add height and the rest
  const rig = new THREE.Group();
  rig.position.set(view.camera.position.x, view.camera.position.y - 1.6, view.camera.position.z);
  rig.rotation.y = view.yaw;
  const eyes = new THREE.PerspectiveCamera(70, 1, 0.02, 500);
  rig.add(eyes);
  stage.scene.add(rig);
  views.away = true;
  renderer.setScissorTest(false);
  renderer.xr.enabled = true;
  await renderer.xr.setSession(session);
  stage.forView(false);
  renderer.setAnimationLoop(() => {
    views.beforeDraw();
    renderer.render(stage.scene, eyes);
  });
  session.addEventListener('end', () => {
    renderer.setAnimationLoop(null);
    renderer.xr.enabled = false;
    renderer.setScissorTest(true);
    stage.scene.remove(rig);
    views.away = false;
    views.resize();
  });
}
