import { spawn } from 'node:child_process';
import { type Io, setting } from '../../io.ts';

/** Starts a program that is named by its words, without a shell that would read the address too. */
function start(words: string, url: string): Promise<boolean> {
  const [program = '', ...given] = words.trim().split(/\s+/);
  const args = given.includes('%s') ? given.map((word) => (word === '%s' ? url : word)) : [...given, url];
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

/** Opens an address in the browser that BROWSER names, else in the system's; whether one could be started. */
export async function openInBrowser({ href }: URL, io: Io): Promise<boolean> {
  const browser = setting(io, 'BROWSER');
  if (browser !== undefined) return start(browser, href);
  const { default: open } = await import('open');
  return open(href).then(
    () => true,
    () => false,
  );
}
