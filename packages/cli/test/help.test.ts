import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { nouns } from '../src/commands/nouns.ts';
import { commands, pageOf, referenceSection } from './helpers/reference.ts';
import { run } from './helpers/run.ts';

describe('help', () => {
  const pages = [...new Set(commands.map(({ path }) => pageOf(path)))];

  it.each(pages)('matches the page %s for each command (written by `vitest -u`)', async (page) => {
    const sections: string[] = [];
    for (const { path } of commands) if (pageOf(path) === page) sections.push(await referenceSection(path));

    await expect(sections.join('\n')).toMatchFileSnapshot(`../${page}`);
  });

  it('has no page for a removed noun', () => {
    const files = globSync('reference/*.md', { cwd: new URL('..', import.meta.url) });

    expect(files.filter((file) => !pages.includes(file))).toEqual([]);
  });

  it.each(commands)('fits the help for $name into 80 columns', async ({ path }) => {
    const { stdout } = await run([...path, '--help']);

    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it.each(commands)(
    'fits the help for $name into 60 columns without breaking a word of a command',
    async ({ path }) => {
      const { stdout } = await run([...path, '--help'], { columns: 60 });
      const { stdout: wide } = await run([...path, '--help']);
      const wordsOf = (text: string): string[] => text.replaceAll(/\\\n/g, '').split(/\s+/).toSorted();

      expect(stdout.split('\n').filter((line) => line.length > 60)).toEqual([]);
      expect(wordsOf(stdout)).toEqual(wordsOf(wide));
    },
  );

  it.each(commands.slice(1))('lists shared options in the help for $name', async ({ path }) => {
    const { stdout } = await run([...path, '--help']);
    const [, shared = ''] = /\nGlobal Options:\n((?: .*\n)+)/.exec(stdout) ?? [];
    const taken = [...shared.matchAll(/^ {2}(?:-q, )?(--[\w-]+)/gm)].map(([, flag]) => flag);

    expect(taken.slice(0, 5)).toEqual(['--json', '--fields', '--quiet', '--no-input', '--profile']);
    expect([[], ['--base-url', '--key-file']]).toContainEqual(taken.slice(5));
  });

  it.each([['-v'], ['version']])('prints only the version for %s', async (word) => {
    expect(await run([word])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  });

  it('breaks an example so that users can copy it', async () => {
    const { stdout } = await run(['refunds', 'paid', '--help'], { columns: 60 });

    expect(stdout).toContain(
      '\n  topup refunds paid INV-20260329093000-ABCDEFGH-R1 \\\n    --reference 7781\n',
    );
  });

  it.each(commands)('describes $name with an example', async ({ command, path }) => {
    const { stdout } = await run([...path, '--help']);

    expect(command.description()).not.toBe('');
    if (command.commands.length === 0) expect(stdout).toMatch(/^Examples?:\n {2}topup /m);
  });

  it.each([[[]], [['games']], [['help']]])('prints the help for %j without a failure', async (args) => {
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

  it('begins with the ten daily commands, which all exist', async () => {
    const { stdout } = await run(['--help']);
    const [, daily = ''] =
      /^Usage: .*\n\n.*\n\nEvery day:\n([\s\S]*?)\n\nOperators of a shop:/.exec(stdout) ?? [];
    const lines = [...daily.matchAll(/^ {2}(\w+(?: [\w-]+)?) {2}/gm)].map(([, line]) => line);
    const known = commands.map(({ path }) => path.join(' '));

    expect(lines).toHaveLength(10);
    expect(lines.filter((line) => !known.includes(line ?? ''))).toEqual([]);
  });

  it('prints bold titles when colours are on', async () => {
    const { stdout } = await run(['games', 'list', '--help'], { environment: { FORCE_COLOR: '1' } });

    const bold = stdout.split('\u001b[1m').slice(1);
    expect(bold.map((text) => text.split('\u001b[22m')[0])).toEqual([
      ...['Usage:', 'Options:', 'Global Options:', 'Example:'],
    ]);
  });

  it("prints the program's help when other flags load commander", async () => {
    const { stdout } = await run(['--help']);

    expect((await run(['--json', '--help'])).stdout).toBe(stdout);
  });

  it('uses the full width of a wider terminal', async () => {
    const { stdout } = await run(['--help'], { columns: 120 });

    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeGreaterThan(80);
  });

  it('serve has no flag for a secret', async () => {
    expect((await run(['serve', '--help'])).stdout).not.toContain('--api-key');
  });

  it("shows the command's name that users type in a clone", async () => {
    const environment = { npm_lifecycle_event: 'topup', npm_config_user_agent: 'pnpm/12.0.0 npm/? node/v24' };

    expect((await run(['--help'], { environment })).stdout).toContain('  npx -y pnpm@12 topup games list ');
  });
});

describe('help with the names of a command', () => {
  it('shows the help for the named command', async () => {
    const { stdout } = await run(['orders', 'create', '--help']);

    expect(await run(['help', 'orders', 'create'])).toEqual({ code: 0, stdout, stderr: '' });
  });

  it.each([
    [['help', 'gmes'], 'Did you mean games?'],
    [['help', 'orders', 'creat'], 'Did you mean create?'],
  ])('rejects %j as an unknown command', async (args, hint) => {
    const { code, stdout, stderr } = await run(args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(hint);
  });

  it('fits the help for a named command into 60 columns', async () => {
    const { stdout } = await run(['login', '--help'], { columns: 60 });
    const words = stdout.split('\n\nAt a terminal')[0] ?? '';

    expect(Math.max(...words.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
  });
});

describe('--version', () => {
  it("prints the package's version", async () => {
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  });
});
