// Journeys in Debian's Chromium, once for each transport. TENON is the command; the page is the one
// that it finds (tools/build_studio).
import { defineConfig } from '@playwright/test';

const flags = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist', '--enable-unsafe-swiftshader'];

export default defineConfig({
  retries: 1, // on a machine that others use a click can come late; what needed it is listed as flaky
  testDir: 'journeys',
  timeout: 240_000,
  expect: { timeout: 60_000 },
  workers: 1,
  fullyParallel: false,
  reporter: 'list',
  outputDir: process.env.TENON_JOURNEYS ?? '../../build/journeys',
  use: {
    viewport: { width: 1440, height: 900 },
    colorScheme: 'dark',
    locale: 'en-GB',
    launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags },
  },
  projects: [
    { name: 'server', metadata: { transport: 'server' } },
    // a site without a server has no folder to save to, and nothing to reconnect to
    { name: 'worker', metadata: { transport: 'worker' }, testIgnore: 'server.spec.ts' },
  ],
});
