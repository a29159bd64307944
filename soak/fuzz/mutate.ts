import { randomBelow } from '@topup-kit/core/platform';
import fc from 'fast-check';
import { controlKey, type Sent } from '../../packages/server/test/helpers/whole-service.ts';

type RandomBytes = Parameters<typeof randomBelow>[0];

/** Random choices, which a seed makes repeatable. */
export interface Dice {
  below(limit: number): number;
  oneOf<Item>(items: readonly Item[]): Item;
}

export const createDice = (random: RandomBytes): Dice => ({
  // Limits the value to the range of randomBelow, because bodies are longer.
  below: (limit) => randomBelow(random, Math.min(limit, 65_536)),
  // Safe: no list here is empty.
  oneOf: <Item>(items: readonly Item[]): Item => items[randomBelow(random, items.length)] as Item,
});

/** Texts that code often doesn't expect. */
const oddTexts = [
  ...[
    '',
    ' ',
    '\0',
    '\n',
    '\u202e',
    '\u{1f600}',
    'é'.normalize('NFD'),
    '٣',
    '\ud800',
    'x'.repeat(255),
    'x'.repeat(5_000),
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'undefined',
    'null',
    'NaN',
    '-0',
    '1e999',
    '0x10',
  ],
  ...[
    '2026-03-28',
    "' OR 1=1 --",
    '<script>',
    '../../etc/passwd',
    '%00',
    '%',
    '%ff',
    '{{7*7}}',
    'INV-1',
    '*',
  ],
];
const oddValues: unknown[] = [
  ...oddTexts,
  ...[null, true, false, 0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, Number.MIN_VALUE],
  ...[
    [],
    {},
    [[]],
    [null],
    { a: {} },
    ['INV-1'],
    { id: 1 },
    Array(300).fill(0),
    '1',
    '12 ',
    ' 12',
    '1.0',
    '01',
    '٣',
  ],
];

const oddHeaders: Record<string, readonly string[]> = {
  Accept: ['', '*/*', 'text/html', 'application/xml', ';;;', 'a/b;q=2', ','],
  'Accept-Language': ['', 'id', 'en', 'xx', '*', 'en;q=abc', 'a'.repeat(900), ',,,', 'id-ID,en;q=0.5'],
  'Content-Type': [
    '',
    'text/plain',
    'application/json; charset=utf-8',
    'application/problem+json',
    ';',
    'multipart/form-data',
  ],
  'Idempotency-Key': ['', '""', '"', 'same', 'x'.repeat(256), '"same"', ' '],
  'X-Request-Id': ['', 'mine', 'a b', 'x'.repeat(65), 'tk_live_x'],
  'X-Topup-Scenario': ['gateway-down', 'none', '__proto__', ''],
  'X-Forwarded-For': ['1.2.3.4', 'unknown', '::::'],
  'Sec-Fetch-Site': ['cross-site', 'none', ''],
  'If-None-Match': ['*', '"x"', 'W/"', ''],
  'Accept-Encoding': ['gzip', 'br;q=0', '', 'identity;q=0,*;q=0'],
  Authorization: ['Bearer x', 'Basic', ''],
  Origin: ['null', 'https://evil.example', ''],
  'Content-Length': ['0', '1', '-1', '99999999999', 'x'],
  'x-test-signature': ['', '0', 'wrong'],
};

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'QUERY', 'X'];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);

type Mutation = (sent: Sent, dice: Dice) => Sent;

/** Creates mutations of a valid request that are still HTTP. `anything` are values of any shape. */
export function createMutations(anything: readonly unknown[]): (sent: Sent, dice: Dice) => Sent {
  const value = (dice: Dice): unknown => dice.oneOf(dice.below(3) === 0 ? anything : oddValues);

  const changeField: Mutation = (sent, dice) => {
    const fields = isObject(sent.body) ? Object.entries(sent.body) : [];
    const at = dice.below(fields.length + 1);
    const [name] = fields[at] ?? [
      dice.oneOf([...oddTexts, 'email', 'nickname', 'messenger_number', 'server']),
    ];
    const rest = fields.filter(([other]) => other !== name);
    const body = dice.below(5) === 0 ? rest : [...rest, [name, value(dice)] as const];
    return { ...sent, body: Object.fromEntries(body) };
  };
  const replaceBody: Mutation = (sent, dice) => ({
    ...sent,
    body: JSON.stringify(value(dice)) ?? 'undefined',
  });
  const damageBody: Mutation = (sent, dice) => {
    const bytes = Buffer.from(isObject(sent.body) ? JSON.stringify(sent.body) : String(sent.body ?? '{}'));
    const at = dice.below(bytes.length + 1);
    const body = dice.oneOf([
      () => bytes.subarray(0, at),
      () => Buffer.concat([bytes.subarray(0, at), Buffer.from([dice.below(256)]), bytes.subarray(at)]),
      () => Buffer.concat([Buffer.from('\ufeff'), bytes]),
      () => Buffer.concat([bytes, bytes]),
      () => Buffer.from('['.repeat(20_000)),
      () => Buffer.from(`{"id":${'9'.repeat(400)}}`),
      () => Buffer.from(`{"quantity":1e999,"quantity":2}`),
      () => Buffer.alloc(70_000, 'x'),
    ])();
    return { ...sent, body };
  };
  const changePath: Mutation = (sent, dice) => {
    const [path = '', query] = sent.path.split('?');
    const parts = path.split('/');
    const at = 1 + dice.below(Math.max(1, parts.length - 1));
    const odd = dice.oneOf(oddTexts);
    const piece = dice.oneOf([
      () => encodeURIComponent(odd.toWellFormed()),
      () => odd.replaceAll(/[^!-~]|[?#]/g, '%00'),
      () => `${parts[at]}%2f`,
      () => parts[at]?.toUpperCase() ?? '',
      () => `${parts[at]}/`,
      () => '',
    ])();
    return {
      ...sent,
      path: parts.with(at % parts.length || 1, piece).join('/') + (query ? `?${query}` : ''),
    };
  };
  const addQuery: Mutation = (sent, dice) => ({
    ...sent,
    path: `${sent.path}?${dice.oneOf(['', '=', '&&', 'a=b', '%', 'id[]=1', '__proto__=1', `x=${'y'.repeat(3_000)}`])}`,
  });
  const changeHeader: Mutation = (sent, dice) => {
    const [name, values] = dice.oneOf(Object.entries(oddHeaders));
    return { ...sent, headers: { ...sent.headers, [name]: dice.oneOf(values) } };
  };
  const changeMethod: Mutation = (sent, dice) => ({ ...sent, method: dice.oneOf(methods) });
  const changeKey: Mutation = (sent, dice) => ({
    ...sent,
    key: dice.oneOf([null, '', 'x', controlKey, 'tk_test_', 'x'.repeat(2_000)]),
  });

  const mutations = [
    ...[changeField, changeField, changeField, changeField, replaceBody, damageBody],
    ...[changePath, changePath, addQuery, changeHeader, changeHeader, changeMethod, changeKey],
  ];
  return (sent, dice) => {
    let mutated = sent;
    for (let count = dice.below(4); count > 0; count -= 1) mutated = dice.oneOf(mutations)(mutated, dice);
    return mutated;
  };
}

/** Returns values of any shape, which are the same for the same seed. */
export const sampleAnything = (seed: number, count: number): unknown[] =>
  fc.sample(fc.jsonValue({ maxDepth: 3, noUnicodeString: false }), { seed, numRuns: count });

const tokens = [
  ...[
    '\r\n',
    '\n',
    '\r',
    '\0',
    ' ',
    '\t',
    ':',
    ';',
    ',',
    '#',
    '?',
    '%',
    '\\',
    '//',
    '/../',
    '\xff',
    'Host: x\r\n',
  ],
  ...[
    'Content-Length: 5\r\n',
    'Content-Length: -1\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: x\r\n',
  ],
  ...[
    'Expect: 100-continue\r\n',
    'Upgrade: h2c\r\nConnection: Upgrade\r\n',
    'X-API-KEY: x\r\n',
    'HTTP/1.1',
    'HTTP/2.0',
  ],
  ...['Connection: keep-alive\r\n', '0\r\n\r\n', 'ffffffff\r\n', 'GET / HTTP/1.1\r\n\r\n', 'a'.repeat(9_000)],
];

/** Damages a request in bytes (latin1) in up to three places. */
export function damageBytes(text: string, dice: Dice): string {
  let bytes = text;
  for (let count = 1 + dice.below(3); count > 0; count -= 1) {
    const at = dice.below(bytes.length + 1);
    const length = dice.below(dice.oneOf([2, 10, 100]));
    bytes = dice.oneOf([
      () => bytes.slice(0, at) + dice.oneOf(tokens) + bytes.slice(at),
      () => bytes.slice(0, at) + bytes.slice(at + length),
      () => bytes.slice(0, at) + bytes.slice(at, at + length) + bytes.slice(at),
      () => bytes.slice(0, at) + String.fromCharCode(dice.below(256)) + bytes.slice(at + 1),
      () => bytes.slice(0, at),
    ])();
  }
  return bytes;
}
