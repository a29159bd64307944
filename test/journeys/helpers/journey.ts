import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Dirent } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, TestRunner } from 'vitest';
import { type PublishedName, tarballOf } from '../../../scripts/pack.ts';
import { oldestNode, packed } from '../../shared.ts';

/** What a person may need at most from an empty folder to the first success. */
const bar = { commands: 3, seconds: 90 };

/** Each installs packages from the registry, and the first waits until ours are packed. */
export const journeyOptions = { timeout: 300_000 };

/** The folder of the Node that server and command need. */
const currentNode = dirname(process.execPath);

/** What a shell of the person has: npm with its cache, and nothing of the run of these tests. */
export function environment(home: string, node: string): NodeJS.ProcessEnv {
  const ours =
    /^(TOPUP_|VITEST|NODE_(ENV|OPTIONS|PATH|COMPILE_CACHE)$|npm_(lifecycle|package|command|execpath|config_user_agent)|INIT_CWD$|TEST$|DEV$|MODE$|PROD$)/;
  const prefix = join(home, 'prefix');
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name))),
    // Its Node comes before the machine's, which may be another.
    PATH: [join(prefix, 'bin'), node, process.env.PATH].join(delimiter),
    // What npm installs globally, and what our command remembers, is deleted in the end.
    npm_config_prefix: prefix,
    XDG_STATE_HOME: join(home, 'state'),
    NEXT_TELEMETRY_DISABLED: '1',
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    NO_COLOR: '1',
  };
}

export interface Journey extends AsyncDisposable {
  /** The empty folder in which it begins. The tarballs are in `../packed`. */
  folder: string;
  /** Writes the files that the person writes. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Copies a folder of `examples`, such as `recipes/jest`, as the person does. */
  copy(example: string): Promise<void>;
  /** Runs a command that the person types, and gives its standard output. Rejects with all output if it fails. */
  type(command: string): Promise<string>;
  /** Starts a command that the person types and leaves running; gives what the pattern finds in its output. */
  start(command: string, pattern: RegExp): Promise<RegExpExecArray>;
  /**
   * The first success: fails when it took more commands or seconds than the bar, or when `README.md` does not list the
   * commands and the number of files.
   */
  succeed(): Promise<void>;
}

const examples = new URL('../../../examples/', import.meta.url);

/** What is not left from a run in the folder itself. */
const isSource = (path: string): boolean => !/[/\\](node_modules|dist|\.next|test-results)$/.test(path);
const isCode = (entry: Dirent): boolean => entry.isFile() && !entry.name.endsWith('.md');

interface JourneySettings {
  /** Environment variables of the person's shell. */
  variables?: Readonly<Record<string, string>>;
  /** What of the journey asks for a newer Node than SDK and mock, which otherwise run on the oldest that they support. */
  newerNodeFor?: string;
  /** How long the journey may take, where the bar is lower than for all others. */
  seconds?: number;
}

/** Begins a journey in an empty folder, with the tarballs of these packages beside it in `../packed`. */
export async function beginJourney(
  person: string,
  packages: readonly PublishedName[],
  { variables, newerNodeFor, seconds: limit = bar.seconds }: JourneySettings = {},
): Promise<Journey> {
  const home = await mkdtemp(join(await realpath(tmpdir()), 'topup-journey-'));
  const folder = join(home, 'project');
  await Promise.all([mkdir(folder), mkdir(join(home, 'packed'))]);
  for (const name of packages) await copyFile(await packed(name), join(home, 'packed', tarballOf(name)));
  const newer = newerNodeFor !== undefined || packages.includes('server') || packages.includes('cli');
  const env = { ...environment(home, newer ? currentNode : await oldestNode()), ...variables };
  const options = { cwd: folder, env };
  const typed: string[] = [];
  let files = 0;
  const running = new AsyncDisposableStack();
  running.defer(() => rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  // Also when a test takes too long, so that none of its commands is left running.
  if (TestRunner.getCurrentTest()) onTestFinished(() => running.disposeAsync());
  const begun = performance.now();

  function launch(command: string, signal: NodeJS.Signals) {
    typed.push(command);
    // A group of its own: npx and sh start further processes, and all must end.
    const child = spawn('sh', ['-c', command], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const { pid } = child;
    const ended = once(child, 'exit');
    running.defer(async () => {
      if (pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-pid, signal);
      await ended;
    });
    return { child, ended };
  }

  return {
    folder,
    async write(texts) {
      for (const [name, text] of Object.entries(texts)) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), text);
        files += 1;
      }
    },
    async copy(example) {
      await cp(new URL(example, examples), folder, { recursive: true, filter: isSource });
      files += (await readdir(folder, { recursive: true, withFileTypes: true })).filter(isCode).length;
    },
    async type(command) {
      // By this signal Playwright ends the servers that it started, which have groups of their own.
      const { child, ended } = launch(command, 'SIGINT');
      const [printed, complaints, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        ended,
      ]);
      if (code === 0) return printed;
      throw new Error(`${person}: ${command} ended with code ${code}\n${printed}\n${complaints}`);
    },
    async start(command, pattern) {
      const { child } = launch(command, 'SIGTERM');
      let printed = '';
      return new Promise((resolve, reject) => {
        const read = (chunk: Buffer): void => {
          printed += chunk;
          const found = pattern.exec(printed);
          if (found) resolve(found);
        };
        child.stdout.on('data', read);
        child.stderr.on('data', read);
        child.on('exit', (code) => reject(new Error(`${command} ended with code ${code}:\n${printed}`)));
      });
    },
    async succeed() {
      const seconds = (performance.now() - begun) / 1000;
      process.stdout.write(
        `${person}: commands ${typed.length}, files ${files}, seconds ${seconds.toFixed(1)}\n`,
      );
      expect(typed.length).toBeLessThanOrEqual(bar.commands);
      expect(seconds).toBeLessThanOrEqual(limit);
      const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
      const commands = typed.map((command) => `\`${command}\``).join('<br>');
      const row = readme.split('\n').find((line) => line.startsWith(`| ${person} |`));
      expect(row ?? `README.md has no row for ${person}`).toContain(`| ${person} | ${commands} | ${files} |`);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
