import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { topup } from './helpers/child.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { openProgram } from './helpers/pseudo-terminal.ts';
import { startJsonService } from './helpers/servers.ts';

const folder = temporaryFolder();
const bin = join(folder.path, 'bin');
const PATH = [bin, process.env.PATH].join(delimiter);

/** Names of games that a hostile service might use, and some of honest services. */
const slugs = [
  'plain',
  "it's 5$ & more",
  'a:b:c',
  `$(touch ${folder.path}/ran)`,
  '`touch ran`',
  'two\nlines',
];
const games = slugs.map((slug, id) => ({ id, slug, title: `Game ${id}`, category: { id: 1, title: 'X' } }));
let service: Awaited<ReturnType<typeof startJsonService>>;

beforeAll(async () => {
  service = await startJsonService(200, { success: true, games, populerGames: [] });
  mkdirSync(bin);
  writeFileSync(join(bin, 'topup'), `#!/bin/sh\nexec '${process.execPath}' '${topup}' "$@"\n`);
  chmodSync(join(bin, 'topup'), 0o755);
  // Prints its arguments, one per line in brackets, so that tests see what the shell made of a line.
  writeFileSync(
    join(bin, 'say'),
    `#!/bin/sh\nfor word in "$@"; do printf '[%s]' "$word"; done; echo ' said'\n`,
  );
  chmodSync(join(bin, 'say'), 0o755);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** How to start each shell without the developer's configuration, with completion for the session. */
const shells = {
  bash: { args: ['--norc', '--noprofile', '-i'], ready: 'PS1="ready> "; source <(topup completion bash)' },
  zsh: {
    args: ['-f', '-i'],
    ready: 'PS1="ready> "; autoload -Uz compinit; compinit -u -D; source <(topup completion zsh)',
  },
  fish: {
    args: ['--no-config', '-i'],
    ready: 'function fish_prompt; echo -n "ready> "; end; topup completion fish | source',
  },
};

const isInstalled = (shell: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((path) => existsSync(join(path, shell)));

async function open(shell: keyof typeof shells) {
  const { args, ready } = shells[shell];
  const terminal = openProgram(shell, args, {
    columns: 100,
    folder: folder.path,
    environment: { PATH, HOME: folder.path, TERM: 'xterm-256color', TOPUP_BASE_URL: service.baseUrl },
  });
  terminal.type(`${ready}; say so\r`);
  await terminal.until(/\[so\] said\s+ready>/);
  return terminal;
}

describe.each(['bash', 'zsh', 'fish'] as const)('%s', (shell) => {
  const where = isInstalled(shell) ? it : it.skip;
  const name = (text: string): string =>
    isInstalled(shell) ? text : `${text} (${shell} is not installed here)`;

  where(name('completes a command, a flag and its choice'), async () => {
    await using terminal = await open(shell);

    terminal.type('topup ord\t');
    await terminal.until('ready> topup orders');
    terminal.type('li\t');
    await terminal.until('ready> topup orders list');
    terminal.type('--buy\t');
    await terminal.until('ready> topup orders list --buy-status');
    terminal.type('Suk\t');

    expect(await terminal.until('--buy-status Sukses')).not.toContain('rror');
  });

  where(name('shows what there is, with what it is'), async () => {
    await using terminal = await open(shell);

    terminal.type('topup games \t\t');

    await terminal.until('List the games');
    expect(await terminal.until('Show a game')).toMatch(/list .*show /s);
  });

  where(name('quotes what needs it, and runs nothing that a service says'), async () => {
    await using terminal = await open(shell);

    terminal.type('topup games show it\t');
    await terminal.until(/games show \S*it\S*s.*more/);
    // The unchanged line, to another command.
    terminal.press('ctrl+a');
    terminal.type('say ');
    terminal.press('enter');

    await terminal.until("[topup][games][show][it's 5$ & more] said");
    terminal.type('topup games show \t\t');
    await terminal.until('a:b:c');
    expect(existsSync(join(folder.path, 'ran'))).toBe(false);
  });

  where(name('completes a word with colons'), async () => {
    await using terminal = await open(shell);

    terminal.type('topup games show a:b\t');

    await terminal.until(/games show a\\?:b\\?:c/);
  });

  where(name('completes files where a file is taken'), async () => {
    writeFileSync(join(folder.path, 'some-catalog.json'), '{}');
    await using terminal = await open(shell);

    terminal.type('topup catalog check some-c\t');

    await terminal.until('check some-catalog.json');
  });

  where(name('does not run what is typed'), async () => {
    await using terminal = await open(shell);

    terminal.type('topup games show $(touch typed) `touch typed` pl\t\t');
    await terminal.until('`touch typed` pl');
    terminal.press('ctrl+u');
    terminal.type('say done\r');
    await terminal.until('[done] said');

    expect(existsSync(join(folder.path, 'typed'))).toBe(false);
  });
});

it.skipIf(!isInstalled('fish'))('fish completes values (needs fish)', () => {
  const script = "topup completion fish | source; complete -C 'topup completion '";

  expect(
    execFileSync('fish', ['--no-config', '-c', script], {
      env: { PATH, HOME: folder.path },
      encoding: 'utf8',
    }),
  ).toBe('bash\nzsh\nfish\n');
});
