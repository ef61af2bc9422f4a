// Journeys in Debian's Chromium, once for each transport. TENON is the command; the page is the one
// that it finds (tools/build_studio).
import { defineConfig } from '@playwright/test';

// the views are drawn by WebGL; what mixes them with the page costs less on the processor than by its OpenGL
const flags = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist', '--enable-unsafe-swiftshader', '--disable-gpu-compositing'];

export default defineConfig({
  retries: 1, // on a machine that others use a click can come late; what needed it is listed as flaky
  testDir: 'journeys',
  timeout: 240_000,
  expect: { timeout: 60_000 },
  workers: 2, // a journey mostly waits; three on two processors were as stable as one
  fullyParallel: false,
  reporter: 'list',
  outputDir: process.env.TENON_JOURNEYS ?? '../../build/journeys',
  use: {
    // pixels are what a machine without a graphics card spends its time on; the film of the README has more
    viewport: process.env.TENON_TOUR ? { width: 1440, height: 900 } : { width: 1200, height: 760 },
    colorScheme: 'dark',
    locale: 'en-GB',
    launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags },
  },
  projects: [
    // what only the site without a server must do: encode films in the browser
    { name: 'server', metadata: { transport: 'server' }, testIgnore: 'worker.spec.ts' },
    // a site without a server has no folder to save to, and nothing to reconnect to; @page: looks and words of the
    // page alone, the same files whatever is behind them
    { name: 'worker', metadata: { transport: 'worker' }, testIgnore: 'server.spec.ts', grepInvert: /@page/ },
  ],
});
