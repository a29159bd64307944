import { execFile, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { run } from '../../../../scripts/run.ts';
import { packed } from '../../../../test/shared.ts';

/** The Node that the tests run on comes first: the machine may have an older one. */
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);

/** Installs the packed command with npm in an empty project, as somebody would who has only npm. */
export async function installPacked(folder: string) {
  const project = join(folder, 'project');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{"private":true}');
  const install = ['install', '--offline', '--no-audit', '--no-fund', await packed('cli')];
  await run('npm', install, { cwd: project, env: { PATH } });
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
    // Safe: the error of `execFile` has the output and the exit code.
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
