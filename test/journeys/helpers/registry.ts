import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { glob, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type PublishedName, publishedNames } from '../../../scripts/pack.ts';
import { run } from '../../../scripts/run.ts';
import { packed } from '../../shared.ts';

/** What a registry knows about a package that was published once. */
async function publish(name: PublishedName, url: () => string) {
  const path = await packed(name);
  const tarball = await readFile(path);
  const file = `/-/${basename(path)}`;
  const manifest = JSON.parse(await run('tar', ['-xzOf', path, 'package/package.json'], { cwd: tmpdir() }));
  const { version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const document = () => ({
    name: manifest.name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist: { tarball: url() + file, integrity } } },
  });
  return { name: String(manifest.name), file, tarball, document };
}

export interface Registry extends AsyncDisposable {
  url: string;
}

/**
 * A registry on loopback that has our packages as they are published. It redirects requests for all others to the
 * configured registry.
 */
export async function startRegistry(): Promise<Registry> {
  const upstream = (
    await run('npm', ['config', 'get', 'registry'], { cwd: tmpdir(), env: process.env })
  ).trim();
  let url = '';
  const packages: Awaited<ReturnType<typeof publish>>[] = [];
  // One after the other: each build takes all of the machine.
  for (const name of publishedNames) packages.push(await publish(name, () => url));
  await forgetCreators();

  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    const file = packages.find((published) => published.file === path);
    if (file) return response.end(file.tarball);
    const found = packages.find(({ name }) => path === `/${name}`);
    if (found)
      return response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(found.document()));
    response.writeHead(302, { Location: new URL((request.url ?? '/').slice(1), upstream).href }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Safe: a server that listens on a port has such an address.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Lets `npm create` forget the program of an earlier run, which has the same version. */
async function forgetCreators(): Promise<void> {
  const cache = (await run('npm', ['config', 'get', 'cache'], { cwd: tmpdir(), env: process.env })).trim();
  for await (const path of glob('_npx/*/node_modules/create-topup-shop', { cwd: cache }))
    await rm(dirname(dirname(join(cache, path))), { recursive: true });
}
