import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { run } from './run.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

interface Instruction {
  name: string;
  /** Text after the instruction's name. */
  text: string;
}

/** Reads the instructions of a Dockerfile. An instruction over several lines becomes one line. */
export const instructionsOf = (dockerfile: string): Instruction[] =>
  dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, name, text] = /^([A-Z]+) +(.+)$/.exec(line) ?? [];
      return name !== undefined && text !== undefined ? { name, text } : [];
    });

/** Commands that the image would run, with their paths on this machine. */
export interface BuiltImage {
  /** The working directory. */
  cwd: string;
  env: Record<string, string>;
  /** `ENTRYPOINT` and `CMD`. */
  command: string[];
  /** Command of `HEALTHCHECK`. */
  healthCheck: string[];
}

/** Matches folders at the root of an image that a Dockerfile may use. Paths in other folders stay unchanged. */
const ownFolders = /(?<![\w.-])\/(?=(src|app|data)\b)/g;

/** Lists the files of the repository that Docker would send to the build: all files that git knows, except those in `.dockerignore`. */
async function contextFiles(): Promise<string[]> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await promisify(execFile)('git', list, { cwd: root, maxBuffer: 10_000_000 });
  return stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
}

/** Creates a stage of the build: a folder that represents the root of its image. */
function createStage(home: string, stages: ReadonlyMap<string, string>) {
  let workdir = '/';
  const env: Record<string, string> = {};
  const here = (text: string, stage = home): string => text.replaceAll(ownFolders, `${stage}/`);
  const pathOf = (path: string): string => join(home, resolve(workdir, path));

  async function copy(text: string): Promise<void> {
    const [, from, list = ''] = /^(?:--from=(\S+) )?(.+)$/.exec(text) ?? [];
    const paths = list.split(' ');
    const target = pathOf(paths.pop() ?? '.');
    if (from === undefined) {
      for (const path of await contextFiles())
        await cp(join(root, path), join(target, path), { verbatimSymlinks: true });
      return;
    }
    const source = stages.get(from);
    if (source === undefined) throw new Error(`COPY ${text}: there is no stage ${from}.`);
    // Copies as Docker does: the content of a folder, or a file under its name.
    for (const path of paths.map((each) => join(source, each)))
      await cp(path, statSync(path).isDirectory() ? target : join(target, basename(path)), {
        recursive: true,
      });
  }

  const steps: Record<string, (text: string) => Promise<void> | void> = {
    async WORKDIR(text) {
      workdir = text;
      await mkdir(pathOf('.'), { recursive: true });
    },
    COPY: copy,
    async RUN(text) {
      // The user `node` exists only in the image.
      const command = here(text).replaceAll(
        'chown node:node',
        `chown ${process.getuid?.()}:${process.getgid?.()}`,
      );
      const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
      await run('sh', ['-c', command], {
        cwd: pathOf('.'),
        env: { ...process.env, PATH: path, TOPUP_DIST: undefined },
      });
    },
    ENV(text) {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(text) ?? [];
      env[name] = here(value);
    },
  };
  return { steps, env, here, cwd: () => pathOf('.') };
}

/**
 * Runs the steps of the Dockerfile without Docker, on this machine: each stage is a folder. It omits everything that needs Docker: the base
 * images, the user, the volume and the port. So this does not prove that the image works.
 *
 * @param folder empty folder for the stages
 * @param report called with each instruction before it runs
 */
export async function runDockerfile(
  folder: string,
  report: (step: string) => void = () => {},
): Promise<BuiltImage> {
  const left = ['LABEL', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'];
  const stages = new Map<string, string>();
  let stage = createStage(folder, stages);
  let last = new Map<string, string>();
  for (const { name, text } of instructionsOf(await readFile(join(root, 'Dockerfile'), 'utf8'))) {
    report(`${name} ${text}`);
    if (name === 'FROM') {
      const [, version, label = 'final'] = /^node:(\d+)\S*(?: AS (\S+))?$/.exec(text) ?? [];
      if (version !== process.versions.node.split('.')[0])
        throw new Error(`FROM ${text}: this script runs on Node ${process.versions.node}.`);
      const home = join(folder, label);
      await mkdir(home, { recursive: true });
      stages.set(label, home);
      stage = createStage(home, stages);
      last = new Map();
    } else if (left.includes(name)) last.set(name, text);
    else {
      const step = stage.steps[name];
      if (!step) throw new Error(`${name}: this script does not know the instruction.`);
      await step(text);
    }
  }
  const commandOf = (name: string): string[] => {
    const [json = '[]'] = /\[.*\]$/.exec(last.get(name) ?? '') ?? [];
    const words: string[] = JSON.parse(json);
    return words.map((word) =>
      word === 'node' ? process.execPath : word.startsWith('/') ? stage.here(word) : word,
    );
  };
  return {
    cwd: stage.cwd(),
    env: stage.env,
    command: [...commandOf('ENTRYPOINT'), ...commandOf('CMD')],
    healthCheck: commandOf('HEALTHCHECK'),
  };
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('Name an empty folder: pnpm dockerfile FOLDER');
  const image = await runDockerfile(resolve(folder), (step) => process.stdout.write(`${step}\n`));
  process.stdout.write(
    `\nEvery step ran, without Docker. In ${image.cwd}, the image would run:\n${image.command.join(' ')}\n`,
  );
}
