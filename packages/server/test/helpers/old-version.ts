import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../../test/free-port.ts';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));

/** Whether the history has the commit; a shallow clone has only the last ones. */
export function hasCommit(commit: string): boolean {
  try {
    execFileSync('git', ['-C', repository, 'cat-file', '-e', `${commit}^{commit}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Writes the packages of a commit into a folder, with the dependencies of the present one. */
function checkOut(commit: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync('git', ['-C', repository, 'archive', commit, 'packages', 'package.json'], {
    maxBuffer: 1 << 28,
  });
  execFileSync('tar', ['x', '-C', folder], { input: archive });
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  for (const name of readdirSync(join(folder, 'packages'))) {
    const modules = join(repository, 'packages', name, 'node_modules');
    // Links, which lead to the packages of this folder again.
    if (existsSync(modules))
      cpSync(modules, join(folder, 'packages', name, 'node_modules'), {
        recursive: true,
        verbatimSymlinks: true,
      });
  }
}

export interface OldServer extends AsyncDisposable {
  /** The base URL of its API on this machine. */
  baseUrl: string;
  /** The well-known key of its sandbox. */
  key: string;
}

/** A version of the kit as it was at a commit. */
export interface OldVersion {
  folder: string;
  /** Runs `topup` with these words, and returns what it printed as JSON. */
  topup(...words: string[]): Promise<unknown>;
  /** Runs a module's text as if it were in its server, and returns what it printed as JSON. */
  evaluate(module: string, ...args: string[]): Promise<unknown>;
  /** Starts a sandbox over a store, on a port of its own. */
  serve(store: string, ...words: string[]): Promise<OldServer>;
}

/** Takes a version of the kit out of the history. Its source runs with the dependencies of the present version. */
export function takeVersion(commit: string, parent: string): OldVersion {
  const folder = join(parent, commit);
  if (!existsSync(folder)) checkOut(commit, folder);
  const node = (args: readonly string[], cwd = folder) =>
    spawn(process.execPath, ['--conditions=@topup-kit/source', ...args], {
      cwd,
      env: { PATH: process.env.PATH, HOME: parent },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const command = join(folder, 'packages/cli/src/bin.ts');
  async function printed(child: ReturnType<typeof node>, what: string): Promise<unknown> {
    const ended = once(child, 'exit');
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = await ended;
    if (code !== 0) throw new Error(`${what} at ${commit}: ${errors}${out}`);
    return JSON.parse(out);
  }
  return {
    folder,
    topup: (...words) => printed(node([command, ...words, '--json']), `topup ${words.join(' ')}`),
    evaluate: (module, ...args) =>
      printed(
        node(['--input-type=module-typescript', '--eval', module, ...args], join(folder, 'packages/server')),
        'a module',
      ),
    async serve(store, ...words) {
      const port = String(await freePort());
      const child = node([
        ...[command, 'serve', '--sandbox', '--port', port],
        ...['--store', store, '--json', ...words],
      ]);
      const errors = text(child.stderr);
      let out = '';
      for await (const chunk of child.stdout.setEncoding('utf8')) {
        out += chunk;
        if (out.trimEnd().endsWith('}')) break;
      }
      if (out === '') throw new Error(`serve at ${commit}: ${await errors}`);
      // Safe: every version of `serve --json` prints it.
      const { api_key } = JSON.parse(out) as { api_key: string };
      return {
        baseUrl: `http://127.0.0.1:${port}/api`,
        key: api_key,
        async [Symbol.asyncDispose]() {
          child.kill('SIGTERM');
          if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
        },
      };
    },
  };
}
