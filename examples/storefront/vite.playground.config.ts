import { resolve } from 'node:path';
import type { UserConfig } from 'vite';
import { storefront } from './vite.config.ts';

const shop = storefront('mock');

/** Configuration for the shop on the mock as one folder of files that any static host can serve, at any path. */
export default {
  ...shop,
  base: './',
  build: { ...shop.build, outDir: resolve(import.meta.dirname, '../../playground'), emptyOutDir: true },
} satisfies UserConfig;
