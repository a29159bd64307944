import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { packageNames, unpackInto } from '../../scripts/pack.ts';
import { freePort } from '../free-port.ts';
import { environment } from '../journeys/helpers/journey.ts';
import { oldestNode, packed } from '../shared.ts';
import { type Block, blocksIn, root } from './blocks.ts';

/** Where the reader of a page works. */
interface Desk extends AsyncDisposable {
  /** The empty folder of the page. The clone is beside it, as `../topup-kit`, and has the tarballs in `packed`. */
  folder: string;
  env: NodeJS.ProcessEnv;
}

/** The commands that a reader has, besides those of the machine; each is a script. */
const commands = (topup: string, ports: ReadonlyMap<string, number>): Record<string, string> => ({
  // The packed command, on the Node that it needs, on ports that are free.
  topup: `case "$*" in
*--port*) ;;
serve*) export PORT=${ports.get('4000')} ;;
simulate*) set -- "$@" --port ${ports.get('4300')} ;;
esac
exec '${process.execPath}' '${topup}' "$@"`,
  // The scripts of a clone. The tarballs are there, and `start` is "serve --sandbox".
  npx: `if [ "$1 $2" = '-y pnpm@12' ]; then
  shift 2
  case "$1" in
  pack:all) exec ls packed/topup-kit-sdk.tgz packed/topup-kit-mock.tgz packed/topup-kit-server.tgz packed/topup-kit-cli.tgz ;;
  start) exec topup serve --sandbox ;;
  topup) shift; exec topup "$@" ;;
  *) cd '${root}' || exit; set -- -y pnpm@12 "$@" ;;
  esac
fi
PATH=\${PATH#*:} exec npx "$@"`,
});

async function createDesk(page: string, ports: ReadonlyMap<string, number>): Promise<Desk> {
  const home = await mkdtemp(join(await realpath(tmpdir()), 'topup-page-'));
  const [folder, clone, bin] = [join(home, 'project'), join(home, 'topup-kit'), join(home, 'commands')];
  await Promise.all([folder, join(clone, 'packed'), bin].map((path) => mkdir(path, { recursive: true })));
  for (const name of packageNames)
    await copyFile(await packed(name), join(clone, 'packed', `topup-kit-${name}.tgz`));
  await unpackInto(join(home, 'node_modules'), 'cli', await packed('cli'));
  const cli = join(home, 'node_modules/@topup-kit/cli');
  const manifest = JSON.parse(await readFile(join(cli, 'package.json'), 'utf8'));
  for (const [name, text] of Object.entries(commands(join(cli, manifest.bin.topup), ports))) {
    await writeFile(join(bin, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(bin, name), 0o755);
  }
  // An error is a response too, which curl takes for success otherwise.
  await writeFile(join(home, '.curlrc'), 'fail-with-body\nsilent\n');
  const text = await readFile(join(root, page), 'utf8');
  const node = /\bNode 20\b/.test(text) && !/\bNode 24\b/.test(text) ? await oldestNode() : undefined;
  const own = environment(home, node ?? dirname(process.execPath));
  return {
    folder,
    env: {
      ...own,
      PATH: [bin, own.PATH].join(delimiter),
      CURL_HOME: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      TOPUP_BASE_URL: `http://127.0.0.1:${ports.get('4000')}/api`,
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}

/** The ports that the blocks name, and the free ones that stand for them: those may be in use where the tests run. */
async function portsOf(texts: readonly string[]): Promise<Map<string, number>> {
  const named = texts
    .flatMap((text) => [...text.matchAll(/(?:(?:127\.0\.0\.1|localhost):|--port )(\d{4,5})\b/g)])
    .map(([, port = '']) => port);
  const ports = new Map<string, number>();
  for (const port of new Set(['4000', '4300', ...named])) ports.set(port, await freePort());
  return ports;
}

/** A command that runs until it is stopped, with the lines that continue it, and the port it listens on. */
const server =
  /^(?:npx -y pnpm@12 )?(topup (?:serve|simulate|listen)|npx -y pnpm@12 start)\b(?:.*\\\n)*.*$/gm;

/** The shell's side: how a script says where it is, what may fail, and that a server is up. */
const preamble = `set -uE -o pipefail
exec 2>&1
allowed=0; logs=0
trap 'code=$?; [ $code = $allowed ] || exit $code' ERR
trap 'code=$?; [ $code = 0 ] || cat ../log-* 2> /dev/null || :; exit $code' EXIT
# The port that the last command listens on; without one, it is up once it has printed something.
up() {
  until if [ -n "$1" ]; then (exec 3<> /dev/tcp/127.0.0.1/$1) 2> /dev/null; else [ -s ../log-$logs ]; fi; do
    kill -0 $! 2> /dev/null || exit 99
    sleep 0.1
  done
}`;

const background = (command: string, port: string): string =>
  `logs=$((logs + 1))\n{\n${command}\n} > ../log-$logs 2>&1 &\nup ${port}`;

/** Puts the servers of some commands into the background, and waits until each is up. */
const withServers = (text: string, ports: ReadonlyMap<string, number>): string =>
  text.replaceAll(server, (command, name: string) => {
    const [, given] = /--port (\d+)/.exec(command) ?? [];
    const usual = name.endsWith('listen')
      ? undefined
      : ports.get(name.endsWith('simulate') ? '4300' : '4000');
    return background(command, given ?? String(usual ?? "''"));
  });

/** A block as the part of a script. */
function step({ page, line, text, marks }: Block, ports: ReadonlyMap<string, number>): string {
  let commands = withServers(text.replaceAll(/^\$ /gm, ''), ports);
  if (marks.serves !== undefined) {
    const lines = text.trimEnd().split('\n');
    commands = [...lines.slice(0, -1), background(lines.at(-1) ?? '', marks.serves)].join('\n');
  }
  const inClone = /\bpnpm@12\b| \.\/packed\//.test(text);
  return [
    `echo '@@ ${page}:${line}'`,
    withServers(marks.before ?? '', ports),
    marks.meanwhile === undefined ? '' : `(\n${marks.meanwhile}\n) &`,
    `allowed=${marks['exits with'] ?? 0}`,
    inClone ? 'cd ../topup-kit' : '',
    commands,
    inClone ? 'cd ../project' : '',
    'allowed=0',
  ].join('\n');
}

/** Runs blocks of a page one after the other, in one shell. Rejects at the first that fails, with what it printed. */
export async function runPage(page: string, blocks: readonly Block[]): Promise<void> {
  const all = blocksIn(page);
  const ports = await portsOf([
    ...all.map(({ text }) => text),
    ...blocks.flatMap(({ marks }) => Object.values(marks)),
  ]);
  const moved = (text: string): string =>
    text.replaceAll(/(?<![\d.])\d{4,5}\b/g, (number) => String(ports.get(number) ?? number));
  await using desk = await createDesk(page, ports);
  for (const { file, text } of all)
    if (file !== undefined) await writeFile(join(desk.folder, file), moved(text));
  const steps = blocks.map((block) =>
    step(
      {
        ...block,
        text: moved(block.text),
        marks: Object.fromEntries(Object.entries(block.marks).map(([name, text]) => [name, moved(text)])),
      },
      ports,
    ),
  );
  const shell = spawn('bash', ['--norc', '-c', [preamble, ...steps].join('\n')], {
    cwd: desk.folder,
    env: desk.env,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own: what it leaves running ends with it.
    detached: true,
  });
  let printed = '';
  shell.stdout.on('data', (chunk: Buffer) => (printed += chunk));
  const closed = once(shell, 'close');
  const stop = (): void => {
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid);
    } catch {
      // Nothing is left running.
    }
  };
  // Also when the test ends before the page does.
  onTestFinished(stop);
  const [code] = await once(shell, 'exit');
  stop();
  await closed;
  if (code !== 0) throw new Error(`exit code ${code} at ${printed.split('@@ ').at(-1)}`);
}
