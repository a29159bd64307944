import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { run } from '../../../../scripts/run.ts';
import { buildCli } from '../../scripts/build.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const cli = join(root, 'packages/cli');

/** The Node that the tests run on comes first: the machine may have an older one. */
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);

/** Builds, packs and installs the command with npm in an empty project. */
export async function installPacked(folder: string) {
  const [home, project] = [join(folder, 'package'), join(folder, 'project')];
  await Promise.all([mkdir(home), mkdir(project)]);
  await Promise.all([
    ...['package.json', 'README.md'].map((file) => cp(join(cli, file), join(home, file))),
    cp(join(root, 'LICENSE'), join(home, 'LICENSE')),
    writeFile(join(project, 'package.json'), '{"private":true}'),
    buildCli(join(home, 'dist')),
  ]);
  const npm = (args: string[], cwd: string): Promise<string> => run('npm', args, { cwd, env: { PATH } });
  await npm(['pack', '--silent', '--pack-destination', folder], home);
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  await npm(['install', '--offline', '--no-audit', '--no-fund', join(folder, tarball)], project);
  return { project, environment: { PATH, HOME: folder } };
}

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program until it exits. */
export async function runProgram(
  file: string,
  args: string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<Ran> {
  try {
    const { stdout, stderr } = await promisify(execFile)(file, args, { cwd, env });
    return { code: 0, stdout, stderr };
  } catch (error) {
    // safe: the error of `execFile` has the output and the exit code
    const { code, stdout, stderr } = error as Ran;
    return { code, stdout, stderr };
  }
}

/** Starts a server of the installed command and waits until it prints its base URL. */
export async function startInstalled(
  file: string,
  args: string[],
  options: { cwd: string; env: Record<string, string> },
) {
  const child = spawn(file, [...args, '--json'], options);
  const baseUrl = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (data) => {
      said += data;
      const url = /"base_url": "(.*)"/.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.on('exit', (code) => reject(new Error(`The server ended with code ${code}.`)));
  });
  return { baseUrl, [Symbol.dispose]: () => child.kill('SIGKILL') };
}
