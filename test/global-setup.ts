import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserServer } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import type { TestPostgres } from '../packages/server/test/helpers/postgres.ts';
import { launchBrowser } from '../scripts/browser.ts';
import { installOnce } from '../scripts/install-once.ts';
import { type PublishedName, packPackage, publishedNames, unpackInto } from '../scripts/pack.ts';
import { bundleForNode } from './bundle-for-node.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * Gives what the whole run shares, each made when it is first asked for: `browser` the address at which Playwright
     * reaches real Chromium, `postgres` the URL of a PostgreSQL, in which each file has schemas of its own, `program?PATH`
     * the path of that program, bundled, `packed?NAME` the path of that package's tarball, `client` that of a project with the
     * packed SDK installed, `slow-only` the path of `slow-only/package.json`, all that it names being installed.
     */
    sharedUrl: string;
    /** The environment that a test file runs in. */
    environment: 'node' | 'jsdom' | 'happy-dom';
    /** Whether the test files may start no program, port, database or browser. */
    quick: boolean;
  }
}

/** What the tests of the whole run share, such as one browser, served on loopback; see `sharedUrl`. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'topup-kit-tests-'));
  let browser: Promise<BrowserServer> | undefined;
  let database: Promise<TestPostgres> | undefined;
  const programs = new Map<string, Promise<string>>();
  const tarballs = new Map<PublishedName, Promise<string>>();
  let client: Promise<string> | undefined;
  let slowOnly: Promise<void> | undefined;
  let packing: Promise<unknown> = Promise.resolve();

  async function giveBrowser(): Promise<string> {
    browser ??= launchBrowser();
    return (await browser).wsEndpoint();
  }
  async function givePostgres(): Promise<string> {
    database ??= import('../packages/server/test/helpers/postgres.ts').then(({ startPostgres }) =>
      startPostgres(),
    );
    return (await database).url;
  }
  async function giveSlowOnly(): Promise<string> {
    const directory = join(import.meta.dirname, 'slow-only');
    slowOnly ??= installOnce(directory);
    await slowOnly;
    return join(directory, 'package.json');
  }
  function giveProgram(path: string): Promise<string> {
    const bundling = programs.get(path) ?? bundleForNode(path, join(folder, String(programs.size)));
    programs.set(path, bundling);
    return bundling;
  }

  /** One after the other: each build takes all of the machine. */
  async function giveTarball(wanted: string): Promise<string> {
    const name = publishedNames.find((published) => published === wanted);
    if (name === undefined) throw new Error(`There is no package ${wanted}: ${publishedNames.join(', ')}`);
    const packed = tarballs.get(name);
    if (packed !== undefined) return packed;
    const tarball = packing.then(() => packPackage(name, folder));
    tarballs.set(name, tarball);
    packing = tarball.catch(() => {});
    return tarball;
  }

  async function installClient(): Promise<string> {
    const project = join(folder, 'client');
    await unpackInto(join(project, 'node_modules'), 'sdk', await giveTarball('sdk'));
    return project;
  }
  async function giveClient(): Promise<string> {
    client ??= installClient();
    return client;
  }

  /** What is served at a path, each made when it is first asked for. */
  function give(path: string, wanted: string): Promise<string> {
    if (path === '/browser') return giveBrowser();
    if (path === '/postgres') return givePostgres();
    if (path === '/client') return giveClient();
    if (path === '/slow-only') return giveSlowOnly();
    return path === '/packed' ? giveTarball(wanted) : giveProgram(wanted);
  }

  const server = createServer(async ({ url = '' }, response) => {
    const { pathname, search } = new URL(url, 'http://localhost');
    try {
      response.end(await give(pathname, decodeURIComponent(search.slice(1))));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Safe: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  provide('sharedUrl', `http://127.0.0.1:${port}/`);
  return async () => {
    server.closeAllConnections();
    server.close();
    await (await browser)?.close();
    await (await database)?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  };
}
