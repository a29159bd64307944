import { afterEach, describe, expect, it, vi } from 'vitest';
import { requireNewestNode } from '../src/newest-node.ts';
import { readableTime } from '../src/output/format.ts';
import { run } from './helpers/run.ts';

/** Runs the module in a Node without the names, and gives what it adds. */
async function added() {
  const { groupBy } = Map;
  const { withResolvers } = Promise;
  const { parse } = URL;
  for (const [holder, name] of [
    [Map, 'groupBy'],
    [Promise, 'withResolvers'],
    [URL, 'parse'],
  ] as const)
    Reflect.deleteProperty(holder, name);
  vi.resetModules();
  await import('../src/older-node.ts');
  const made = { groupBy: Map.groupBy, withResolvers: Promise.withResolvers, parse: URL.parse };
  Object.assign(Map, { groupBy });
  Object.assign(Promise, { withResolvers });
  Object.assign(URL, { parse });
  return { made, own: { groupBy, withResolvers, parse } };
}

it('adds the APIs that Node 20 lacks, with the behaviour of Node 24', async () => {
  const { made, own } = await added();
  const byLength = (text: string, index: number): string => `${text.length} ${index > 2}`;
  const words = ['one', 'three', 'two', 'six'];

  expect(made.groupBy.call(Map, words, byLength as never)).toEqual(
    own.groupBy.call(Map, words, byLength as never),
  );
  for (const text of ['https://shop.test/a?b', 'shop', ''])
    expect(made.parse(text)?.href).toBe(own.parse(text)?.href);
  const { promise, resolve } = made.withResolvers.call(Promise);
  resolve('done');
  expect(await promise).toBe('done');
});

it('rejects an older Node version for a store or a server, and explains the next step', () => {
  expect(() => requireNewestNode('topup serve')).not.toThrow();
  const spy = vi.spyOn(process, 'versions', 'get').mockReturnValue({ ...process.versions, node: '22.11.0' });
  expect(() => requireNewestNode('topup serve')).toThrow(/^topup serve needs Node 24 or later; this is v/);
  spy.mockRestore();
});

describe('on Node 22', () => {
  const onNode22 = (): void => {
    vi.spyOn(process, 'versions', 'get').mockReturnValue({ ...process.versions, node: '22.11.0' });
  };
  afterEach(() => vi.restoreAllMocks());

  it.each([
    ['backup --help', 'Usage: topup backup'],
    ['help payments', 'Usage: topup payments'],
    ['help payments settle', 'Usage: topup payments settle'],
    ['balance --help', 'Usage: topup balance'],
    ['serve --help', 'Usage: topup serve'],
  ])('shows the help on Node 22: %s', async (line, usage) => {
    onNode22();
    const { code, stdout } = await run(line.split(' '));
    expect({ code, usage: stdout.startsWith(usage) }).toEqual({ code: 0, usage: true });
  });

  it.each(['balance', 'payments list', 'serve --port 1'])(
    'explains what `topup %s` needs on Node 22',
    async (line) => {
      onNode22();
      const [noun] = line.split(' ');
      expect(await run(line.split(' '))).toMatchObject({
        ...{ code: 1, stdout: '', stderr: expect.stringContaining(`topup ${noun} needs Node 24 or later`) },
      });
    },
  );

  it('runs a command without a store on Node 22, even if an argument is the name of a store command', async () => {
    onNode22();
    const { code, stderr } = await run(['games', 'show', 'backup', '--base-url', 'http://127.0.0.1:1']);
    expect({ code, isAboutNode: stderr.includes('Node 24') }).toEqual({ code: 5, isAboutNode: false });
  });
});

it.each([
  ['2026-03-29T10:00:00+07:00', '29 Mar 2026, 10:00 GMT+7'],
  ['2026-03-29T10:00:00-03:00', '29 Mar 2026, 10:00 GMT-3'],
])('shows %s with its offset, even if Node has no time zones for offsets', (time, shown) => {
  expect(readableTime(time)).toBe(shown);
  class OlderFormat extends Intl.DateTimeFormat {
    constructor(locales?: string, options?: Intl.DateTimeFormatOptions) {
      if (/^[+-]/.test(options?.timeZone ?? '')) throw new RangeError('Invalid time zone specified');
      super(locales, options);
    }
  }
  const spy = vi
    .spyOn(Intl, 'DateTimeFormat')
    .mockImplementation(OlderFormat as unknown as typeof Intl.DateTimeFormat); // Safe: it is called with new.
  expect(readableTime(time)).toBe(shown);
  spy.mockRestore();
});
