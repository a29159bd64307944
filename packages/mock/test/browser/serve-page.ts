import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const html = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>';
const workerPath = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');

interface ServedFile {
  type: string;
  text: string;
}

/** A script for browsers and what it loads later, made from our sources, by their paths on the page's origin. */
async function bundle(entry: string): Promise<Record<string, ServedFile>> {
  const { outputFiles } = await build({
    entryPoints: { page: fileURLToPath(new URL(entry, import.meta.url)) },
    conditions: ['@topup-kit/source'],
    bundle: true,
    splitting: true,
    write: false,
    outdir: '/',
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
  });
  return Object.fromEntries(
    outputFiles.map((file) => [file.path, { type: 'text/javascript', text: file.text }]),
  );
}

export interface ServedPage extends AsyncDisposable {
  url: string;
  /** What the page posts to `/report`, as text. */
  report: Promise<string>;
}

/** A page on loopback that runs an entry of this folder, with the service worker of MSW beside it. */
export async function servePage(entry: string): Promise<ServedPage> {
  const files: Record<string, ServedFile> = {
    ...(await bundle(entry)),
    '/': { type: 'text/html', text: html },
    '/mockServiceWorker.js': { type: 'text/javascript', text: await readFile(workerPath, 'utf8') },
  };
  const { promise: report, resolve } = Promise.withResolvers<string>();
  const server = createServer(async (request, response) => {
    const { url = '/' } = request;
    if (url === '/report') resolve(await text(request));
    const file = files[url];
    if (!file) return response.writeHead(404).end();
    return response.writeHead(200, { 'Content-Type': file.type }).end(file.text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Safe: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    report,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
