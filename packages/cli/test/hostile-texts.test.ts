import { join } from 'node:path';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import { createSqliteStore } from '@topup-kit/server/internal';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { another } from '../../suites/src/store/fixtures.ts';
import { createContext } from '../src/context.ts';
import { safeScreen, styleOf } from '../src/output/style.ts';
import { shellWord } from '../src/output/text.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { run } from './helpers/run.ts';

const hostile = 'Budi\u001b]0;title\u0007\u001b[35mred\u009b2J\u202egnp\r\u0000\u007f';
const folder = temporaryFolder();
const path = join(folder.path, 'topup.db');
const orderId = 'INV-20260328100000-HOSTILES';

beforeAll(async () => {
  const store = createSqliteStore({ path });
  const catalog = sandboxCatalog('en');
  await store.replaceCatalog({
    ...catalog,
    games: catalog.games.map((game) => ({ ...game, title: hostile, developers: hostile })),
  });
  const { product, game } = another('A');
  const order = another('A', {
    ...{ orderId, accountId: hostile },
    target: { id: hostile, server: hostile, nickname: hostile },
    product: { ...product, title: hostile },
    game: { ...game, title: hostile },
  });
  await store.placeOrder({ order, promo: null, response: null });
  await store.close();
});
afterAll(() => folder[Symbol.dispose]());

/** Whatever a terminal obeys, but for line breaks and the colours of this program. */
function controlsIn(text: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const own = text.replaceAll(/\u001b\[(1|2|22|3[01236]|39|107|49)m/g, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return own.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\p{Bidi_Control}]/gu) ?? [];
}

it.each([
  ['orders', 'list'],
  ['orders', 'show', orderId, '--history'],
  ['orders', 'search', 'HOSTILES'],
  ['orders', 'export', '--quiet'],
  ['orders', 'list', '--json'],
  ['orders', 'show', `INV-${hostile.slice(0, -2)}`, '--history'],
  ['catalog', 'list'],
  ['catalog', 'list', '--game', hostile.slice(0, -2)],
  ['keys', 'revoke', hostile.slice(0, -2), '--yes'],
  ['report', 'sales', '--from', hostile.slice(0, -2)],
  [hostile.slice(0, -2)],
])('escapes control characters in a text in %s %s', async (...args) => {
  for (const columns of [undefined, 80]) {
    const environment = { TOPUP_STORE: `file:${path}`, FORCE_COLOR: '1' };
    const { stdout, stderr } = await run(args, { environment, columns });
    expect(controlsIn(stdout + stderr)).toEqual([]);
    expect(stdout + stderr).not.toContain('\u001b[35mred');
  }
});

it('escapes control characters that a command did not escape in a screen, a painted text and a note', async () => {
  const written = { stdout: '', stderr: '' };
  const writer = (name: keyof typeof written) => (text: string) => {
    written[name] += text;
  };
  const io = {
    stdin: (async function* () {})(),
    stdout: { write: writer('stdout'), isTTY: true, columns: 80 },
    stderr: { write: writer('stderr') },
    environment: { FORCE_COLOR: '1' },
  };
  const context = createContext(io, { input: true });
  await context.print({ document: {}, screen: ({ paint }) => `${hostile}\n${paint('bad', hostile)}\n` });
  context.remark(hostile);
  expect(written.stdout.startsWith('Budi\\u{1b}]0;title\\u{07}\\u{1b}[35mred\\u{9b}2J')).toBe(true);
  const painted = written.stdout.split('\n')[1] ?? '';
  expect([painted.slice(0, 15), painted.slice(-5)]).toEqual(['\u001b[31mBudi\\u{1b}', '\u001b[39m']);
  expect(controlsIn(written.stdout + written.stderr)).toEqual([]);
  const style = styleOf(io, io.stdout);
  expect(await safeScreen(() => style.paint('good', 'not of the screen'), style)).not.toContain('\u001b');
});

it('quotes suggested commands for a shell, without control characters', () => {
  expect(shellWord('mobile-legends')).toBe('mobile-legends');
  expect(shellWord("it's")).toBe(`'it'\\''s'`);
  expect(shellWord("a\u001b\n\u202e'\\b")).toBe(`$'a\\u001b\\u000a\\u202e\\'\\\\b'`);
});
