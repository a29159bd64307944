import { cp, mkdir, readdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const sdk = join(root, 'packages/sdk');

/** pnpm stands on the path when it runs the tests; the README's commands fetch it otherwise. */
const pnpm: [program: string, ...args: string[]] = process.env.npm_config_user_agent?.startsWith('pnpm/')
  ? ['pnpm']
  : ['npx', '-y', 'pnpm@12'];

/** Builds the package into a folder, as `pnpm build` does. */
export async function build(folder: string): Promise<void> {
  const tsup = join(root, 'node_modules/tsup/dist/cli-default.js');
  await run(process.execPath, [tsup, '--silent'], { cwd: sdk, env: { TOPUP_SDK_DIST: folder } });
}

/** Builds and packs the package as for publishing, in a workspace of its own, and gives the tarball's path. */
async function pack(folder: string): Promise<string> {
  const home = join(folder, 'packages/sdk');
  await mkdir(home, { recursive: true });
  await Promise.all([
    cp(join(root, 'LICENSE'), join(folder, 'LICENSE')),
    cp(join(root, 'pnpm-workspace.yaml'), join(folder, 'pnpm-workspace.yaml')),
    cp(join(sdk, 'package.json'), join(home, 'package.json')),
    ...['README.md', 'api.md'].map((file) => cp(join(sdk, file), join(home, file))),
    symlink(join(sdk, 'node_modules'), join(home, 'node_modules')),
    build(join(home, 'dist')),
  ]);
  const [program, ...args] = pnpm;
  await run(program, [...args, 'pack', '--pack-destination', folder], { cwd: home, env: process.env });
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('pnpm packed nothing');
  return join(folder, tarball);
}

export interface InstalledPackage {
  /** A project with the packed package and its dependencies in `node_modules`. */
  project: string;
  tarball: string;
}

/** Installs the packed package as an integrator has it; its dependencies come from the workspace. */
export async function installPacked(folder: string): Promise<InstalledPackage> {
  const tarball = await pack(join(folder, 'pack'));
  const project = join(folder, 'project');
  const home = join(project, 'node_modules/@topup-kit/sdk');
  await mkdir(home, { recursive: true });
  await run('tar', ['-xzf', tarball, '--strip-components=1'], { cwd: home });
  await symlink(await realpath(join(sdk, 'node_modules/ky')), join(project, 'node_modules/ky'));
  return { project, tarball };
}
