import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import type { PublishedName } from '../scripts/pack.ts';

/** Asks for something that the whole run shares; see `sharedUrl`. */
async function ask(path: string): Promise<string> {
  const answer = await fetch(new URL(path, inject('sharedUrl')));
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} can't be had: ${text}`);
  return text;
}

/** The address at which Playwright reaches the browser. */
export const browserAddress = (): Promise<string> => ask('browser');

/** The URL of PostgreSQL. */
export const postgresAddress = (): Promise<string> => ask('postgres');

/** The path of a program, bundled: it starts several times as fast as from its sources. */
export const bundled = (program: URL): Promise<string> =>
  ask(`program?${encodeURIComponent(fileURLToPath(program))}`);

/** A module of ours in one file, as another process imports it. */
export const bundledModule = async (module: URL): Promise<string> =>
  pathToFileURL(await bundled(module)).href;

/** The path of a package's tarball, as it is published: packed once for the whole run. */
export const packed = (name: PublishedName): Promise<string> => ask(`packed?${name}`);

/** The path of a project with the packed SDK and its dependencies in `node_modules`: installed once for the whole run. */
export const clientProject = (): Promise<string> => ask('client');

/** The path of a file of the packages that only slow tests need (`slow-only/package.json`), installed when first asked for. */
export const slowOnly = async (file: string): Promise<string> =>
  createRequire(await ask('slow-only')).resolve(file);

/** The folder of `node` of the oldest version that the SDK and the mock support. */
export const oldestNode = async (): Promise<string> =>
  join(dirname(await slowOnly('node-20/package.json')), 'bin');
