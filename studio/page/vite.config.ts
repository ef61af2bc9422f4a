import { defineConfig } from 'vite';

// Relative addresses: the server has its token in the path, a static site may lie in any folder.
export default defineConfig({
  base: './',
  build: { target: 'es2022', chunkSizeWarningLimit: 2000, assetsInlineLimit: 0 },
  worker: { format: 'es' },
});
