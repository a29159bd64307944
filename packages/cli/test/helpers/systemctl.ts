/**
 * Does what systemd would do with the units of examples/deployment, without their protections: `systemctl.ts COMMAND UNIT...`.
 * `ROOT` is the folder that stands for `/`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const root = process.env.ROOT ?? '';
const [command = '', ...words] = process.argv.slice(2);

const move = (text: string): string =>
  text.replaceAll(/\/(etc\/topup|opt\/topup|usr\/local\/bin|var)\b/g, `${root}/$1`);
const read = (path: string): string => readFileSync(path, 'utf8');
const pidFile = (unit: string): string => join(root, 'run', `${unit}.pid`);

/** The commands of a unit and its environment. */
function load(unit: string): { commands: string[]; env: Record<string, string> } {
  const credentials = join(root, 'run', unit);
  mkdirSync(credentials, { recursive: true });
  const text = move(read(join(root, 'etc/systemd/system', unit)))
    .replaceAll('%d', credentials)
    .replaceAll('%%', '%');
  const values = (name: string): string[] =>
    [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  for (const credential of values('LoadCredential')) {
    const [name = '', file = ''] = credential.split(':');
    copyFileSync(file, join(credentials, name));
  }
  const lines = [
    ...values('EnvironmentFile').flatMap((file) => move(read(file)).split('\n')),
    ...values('Environment'),
  ];
  const env = Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value] as const];
    }),
  );
  return { commands: values('ExecStart'), env: { PATH: process.env.PATH ?? '', HOME: root, ...env } };
}

function start(unit: string): void {
  const { commands, env } = load(unit);
  const cwd = join(root, 'var/lib/topup');
  mkdirSync(cwd, { recursive: true });
  const [first = ''] = commands;
  if (first.endsWith(' serve')) {
    const log = openSync(join(root, 'log'), 'a');
    const child = spawn('/bin/sh', ['-c', `exec ${first}`], {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', log, log],
    });
    writeFileSync(pidFile(unit), String(child.pid));
    child.unref();
    return;
  }
  for (const line of commands) {
    const { status } = spawnSync('/bin/sh', ['-c', line], { cwd, env, stdio: 'inherit' });
    if (status !== 0) process.exit(1);
  }
}

/** Whether a process runs; one that ended but that nobody has waited for doesn't. */
function isRunning(pid: string): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(read(`/proc/${pid}/stat`));
  } catch {
    return false;
  }
}

async function stop(unit: string): Promise<void> {
  const pid = read(pidFile(unit));
  if (isRunning(pid)) process.kill(Number(pid), 'SIGTERM');
  while (isRunning(pid)) await wait(20);
}

for (const word of words.filter((word) => word !== '--now')) {
  const unit = word.includes('.') ? word : `${word}.service`;
  if (/\.(timer|socket)$/.test(unit)) read(join(root, 'etc/systemd/system', unit));
  else if (command === 'stop') await stop(unit);
  else if (command === 'start' || command === 'enable') start(unit);
}
