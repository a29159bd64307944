import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { nouns } from '../src/commands/nouns.ts';
import { commands, pageOf, referenceSection } from './helpers/reference.ts';
import { run } from './helpers/run.ts';

describe('help', () => {
  const pages = [...new Set(commands.map(({ path }) => pageOf(path)))];

  it.each(pages)('of its commands is on the page %s (written by `vitest -u`)', async (page) => {
    const sections: string[] = [];
    for (const { path } of commands) if (pageOf(path) === page) sections.push(await referenceSection(path));

    await expect(sections.join('\n')).toMatchFileSnapshot(`../${page}`);
  });

  it('has no page of a noun that is gone', () => {
    const files = globSync('reference/*.md', { cwd: new URL('..', import.meta.url) });

    expect(files.filter((file) => !pages.includes(file))).toEqual([]);
  });

  it.each(commands)('of $name fits 80 columns', async ({ path }) => {
    const { stdout } = await run([...path, '--help']);

    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it.each(commands)('of $name fits 60 columns, and no command is broken inside a word', async ({ path }) => {
    const { stdout } = await run([...path, '--help'], { columns: 60 });
    const { stdout: wide } = await run([...path, '--help']);
    const wordsOf = (text: string): string[] => text.replaceAll(/\\\n/g, '').split(/\s+/).toSorted();

    expect(stdout.split('\n').filter((line) => line.length > 60)).toEqual([]);
    expect(wordsOf(stdout)).toEqual(wordsOf(wide));
  });

  it.each(commands.slice(1))('of $name has the options that every command takes', async ({ path }) => {
    const { stdout } = await run([...path, '--help']);
    const [, shared = ''] = /\nGlobal Options:\n((?: .*\n)+)/.exec(stdout) ?? [];
    const taken = [...shared.matchAll(/^ {2}(?:-q, )?(--[\w-]+)/gm)].map(([, flag]) => flag);

    expect(taken.slice(0, 5)).toEqual(['--json', '--fields', '--quiet', '--no-input', '--profile']);
    expect([[], ['--base-url', '--key-file']]).toContainEqual(taken.slice(5));
  });

  it.each([['-v'], ['version']])('of %s is the version alone', async (word) => {
    expect(await run([word])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  });

  it('breaks an example so that it can be copied', async () => {
    const { stdout } = await run(['refunds', 'paid', '--help'], { columns: 60 });

    expect(stdout).toContain(
      '\n  topup refunds paid INV-20260329093000-ABCDEFGH-R1 \\\n    --reference 7781\n',
    );
  });

  it.each(commands)('of $name says what it does, with an example', async ({ command, path }) => {
    const { stdout } = await run([...path, '--help']);

    expect(command.description()).not.toBe('');
    if (command.commands.length === 0) expect(stdout).toMatch(/^Examples?:\n {2}topup /m);
  });

  it.each([[[]], [['games']], [['help']]])('is what %j prints, and no failure', async (args) => {
    const { code, stdout, stderr } = await run(args);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Usage: topup');
  });

  it('lists every noun in a group', async () => {
    const { stdout } = await run(['--help']);
    const [, groups = ''] = /\nOperators of a shop:\n([\s\S]*?)\n\nOptions:/.exec(stdout) ?? [];

    expect([...groups.matchAll(/^ {2}(\w+)/gm)].map(([, noun]) => noun).toSorted()).toEqual(
      [...nouns.map(({ name }) => name), 'help'].toSorted(),
    );
  });

  it('begins with the ten commands of a day, each of which there is', async () => {
    const { stdout } = await run(['--help']);
    const [, daily = ''] =
      /^Usage: .*\n\n.*\n\nEvery day:\n([\s\S]*?)\n\nOperators of a shop:/.exec(stdout) ?? [];
    const lines = [...daily.matchAll(/^ {2}(\w+(?: [\w-]+)?) {2}/gm)].map(([, line]) => line);
    const known = commands.map(({ path }) => path.join(' '));

    expect(lines).toHaveLength(10);
    expect(lines.filter((line) => !known.includes(line ?? ''))).toEqual([]);
  });

  it('has bold titles where there are colours', async () => {
    const { stdout } = await run(['games', 'list', '--help'], { environment: { FORCE_COLOR: '1' } });

    const bold = stdout.split('\u001b[1m').slice(1);
    expect(bold.map((text) => text.split('\u001b[22m')[0])).toEqual([
      ...['Usage:', 'Options:', 'Global Options:', 'Example:'],
    ]);
  });

  it('of the program is the same with other flags, for which commander is loaded', async () => {
    const { stdout } = await run(['--help']);

    expect((await run(['--json', '--help'])).stdout).toBe(stdout);
  });

  it('fills a wider terminal', async () => {
    const { stdout } = await run(['--help'], { columns: 120 });

    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeGreaterThan(80);
  });

  it('of serve has no flag for a secret', async () => {
    expect((await run(['serve', '--help'])).stdout).not.toContain('--api-key');
  });

  it('names the command as the clone calls it', async () => {
    const environment = { npm_lifecycle_event: 'topup', npm_config_user_agent: 'pnpm/12.0.0 npm/? node/v24' };

    expect((await run(['--help'], { environment })).stdout).toContain('  npx -y pnpm@12 topup games list ');
  });
});

describe('help with the names of a command', () => {
  it('is the help of that command', async () => {
    const { stdout } = await run(['orders', 'create', '--help']);

    expect(await run(['help', 'orders', 'create'])).toEqual({ code: 0, stdout, stderr: '' });
  });

  it.each([
    [['help', 'gmes'], 'Did you mean games?'],
    [['help', 'orders', 'creat'], 'Did you mean create?'],
  ])('rejects %j, which is no command', async (args, hint) => {
    const { code, stdout, stderr } = await run(args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(hint);
  });

  it('fits 60 columns', async () => {
    const { stdout } = await run(['login', '--help'], { columns: 60 });
    const words = stdout.split('\n\nAt a terminal')[0] ?? '';

    expect(Math.max(...words.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
  });
});

describe('--version', () => {
  it('is that of the package', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  });
});
