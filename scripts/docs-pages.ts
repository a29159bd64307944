import type { Plugin } from 'esbuild';
import { pages, runbook } from '../packages/cli/src/docs/pages.ts';

/** Puts the texts of the documentation into the command, because an installed command doesn't have their folder. */
export const docsPages: Plugin = {
  name: 'docs-pages',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/]docs[\\/]pages\.ts$/ }, () => ({
      contents: `export const pages = ${JSON.stringify(pages)}; export const runbook = ${JSON.stringify(runbook)};`,
    }));
  },
};
