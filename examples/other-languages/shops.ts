import { execFile } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  findPython,
  findUnderUsr,
  goFile,
  isOnPath,
  phpFile,
  unpacked,
} from '../../test/languages/installed.ts';

/** Program with its first arguments. */
export interface Program {
  file: string;
  given: string[];
}

/** Programs of a page. */
export interface Shop {
  /** Places the order of a cart, which is its argument. */
  place: Program;
  /** Receives webhooks at a port. */
  receive(port: number): Program;
  /** Tests the client. It runs in the shop's folder. */
  test: Program;
}

/** Language whose page shows the files of a folder. */
export interface ShopLanguage {
  name: 'Python' | 'PHP' | 'Go';
  page: 'python' | 'php' | 'go';
  /** Path of the folder from the root of the repository. */
  folder: string;
  /** Returns how to run the language if it is installed on the machine. */
  installed(): Program | undefined;
  /** Returns how to run the language if `.ci/languages` has fetched it. */
  fetched(): Program | undefined;
  /** Prepares the programs in a folder. */
  prepare(folder: string, runtime: Program): Promise<Shop>;
}

const command = (file: string, ...given: string[]): Program => ({ file, given });
const script = ({ file, given }: Program, ...more: string[]): Program => ({
  file,
  given: [...given, ...more],
});

const python: ShopLanguage = {
  name: 'Python',
  page: 'python',
  folder: 'examples/other-languages/python',
  installed() {
    const file = findPython();
    return file === undefined ? undefined : command(file);
  },
  fetched: () => undefined,
  async prepare(folder, runtime) {
    return {
      place: script(runtime, join(folder, 'place_order.py')),
      receive: (port) => script(runtime, join(folder, 'webhook.py'), String(port)),
      test: script(runtime, join(folder, 'shop_test.py')),
    };
  },
};

const php: ShopLanguage = {
  name: 'PHP',
  page: 'php',
  folder: 'examples/other-languages/php',
  installed: () => (isOnPath('php') ? command('php') : undefined),
  fetched() {
    const file = unpacked === undefined ? undefined : findUnderUsr(phpFile);
    return file === undefined ? undefined : command(file, '-n');
  },
  async prepare(folder, runtime) {
    // A warning or a deprecation fails a test, as in a strict shop.
    const strict = script(runtime, '-d', 'error_reporting=-1', '-d', 'display_errors=stderr');
    return {
      place: script(strict, join(folder, 'place_order.php')),
      receive: (port) => script(strict, '-S', `127.0.0.1:${port}`, join(folder, 'webhook.php')),
      test: script(strict, join(folder, 'shop_test.php')),
    };
  },
};

const go: ShopLanguage = {
  name: 'Go',
  page: 'go',
  folder: 'examples/other-languages/go',
  installed: () => (isOnPath('go', 'version') ? command('go') : undefined),
  fetched() {
    const file = unpacked === undefined ? undefined : findUnderUsr(goFile);
    return file === undefined ? undefined : command('env', `GOROOT=${join(file, '../..')}`, file);
  },
  async prepare(folder, runtime) {
    const cache = fileURLToPath(new URL('../../node_modules/.cache/go', import.meta.url));
    await mkdir(cache, { recursive: true });
    const env = {
      ...process.env,
      GOCACHE: cache,
      GOFLAGS: '-mod=mod',
      CGO_ENABLED: '0',
      GOTOOLCHAIN: 'local',
    };
    const run = (...args: string[]) =>
      promisify(execFile)(runtime.file, [...runtime.given, ...args], { cwd: folder, env });
    await run('vet', '.');
    await run('build', '-o', 'shop', '.');
    await run('test', '-c', '-o', 'shop.test', '.');
    return {
      place: command(join(folder, 'shop'), 'place'),
      receive: (port) => command(join(folder, 'shop'), 'webhook', String(port)),
      test: command(join(folder, 'shop.test'), '-test.v'),
    };
  },
};

export const shopLanguages: readonly ShopLanguage[] = [python, php, go];

/** Copies the files on a language's page into a folder, as a reader writes them, and prepares them. */
export async function setUpShop(language: ShopLanguage, runtime: Program, folder: string): Promise<Shop> {
  const here = import.meta.dirname;
  await cp(join(here, '../..', language.folder), folder, { recursive: true });
  for (const file of ['order.json', 'webhook.json']) await cp(join(here, file), join(folder, file));
  return language.prepare(folder, runtime);
}
