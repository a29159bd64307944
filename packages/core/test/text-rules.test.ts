import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { orderRules } from '../src/contract/dialect/dialect.ts';
import {
  cleanText,
  kitDialect,
  messagesByField,
  normaliseFields,
  normalPhone,
  orderFields,
  type TextKind,
  type TextRule,
  textRules,
  unreadableCharacter,
  validateFields,
} from '../src/contract/index.ts';
import { readCatalogFile } from '../src/features/index.ts';
import { sandboxCatalogFile } from '../src/sandbox/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const kinds = Object.entries<TextRule>(textRules) as [TextKind, TextRule][];

/** Characters that show nothing, and don't join others. */
const hidden = [
  0x00ad, 0x200b, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2066, 0xfeff,
];
/** Those that join emoji and letters, or look blank; a nickname may have them. */
const joining = [0x200c, 0x200d, 0xfe0f, 0x3164];
const spaces = [0x00a0, 0x2002, 0x2009, 0x202f, 0x3000];
const dashes = [0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0xff0d];
const rejected = ['\0', '\n', '\r', '\t', '\u001b', '\u007f', '\u0085', '\u2028', '\ud83d', '\ude00'];
/** Seven in Arabic, Persian, Devanagari, Thai, full-width and mathematical digits. */
const sevens = ['٧', '۷', '७', '๗', '７', '𝟕', '𝟩'];

describe.each(kinds)('a text of the kind %s', (kind, { strip, ascii }) => {
  it('keeps a text without forbidden characters, except spaces around it', () => {
    expect(cleanText('  Budi-12 (3) ', kind)).toBe('Budi-12 (3)');
    expect(cleanText('Ünal 李 😀', kind)).toBe('Ünal 李 😀');
  });

  it.each(hidden)(`${strip === 'nothing' ? 'keeps' : 'leaves out'} U+%i`, (code) => {
    const mark = String.fromCodePoint(code);
    expect(cleanText(`${mark}12${mark}34`, kind).includes(mark)).toBe(strip === 'nothing');
    if (strip !== 'nothing') expect(cleanText(`${mark}12${mark}34 ${mark}`, kind)).toBe('1234');
  });

  it.each(joining)(`${strip === 'invisible' ? 'leaves out' : 'keeps'} U+%i between others`, (code) => {
    const text = `12${String.fromCodePoint(code)}34`;
    expect(cleanText(text, kind)).toBe(strip === 'invisible' ? '1234' : text);
  });

  it.each(spaces)(`${strip === 'nothing' ? 'keeps' : 'makes a space of'} U+%i`, (code) => {
    const text = `12${String.fromCodePoint(code)}34`;
    expect(cleanText(text, kind)).toBe(strip === 'nothing' ? text : '12 34');
  });

  it.each(sevens)(`${ascii === 'never' ? 'keeps' : 'makes a 7 of'} %s in a number`, (digit) => {
    expect(cleanText(`1${digit}3`, kind)).toBe(ascii === 'never' ? `1${digit}3` : '173');
    expect(cleanText(`A${digit}`, kind)).toBe(ascii === 'always' ? 'A7' : `A${digit}`);
  });

  it.each(dashes)(`${ascii === 'never' ? 'keeps' : 'makes a hyphen of'} U+%i`, (code) => {
    const text = `12${String.fromCodePoint(code)}34`;
    expect(cleanText(text, kind)).toBe(ascii === 'never' ? text : '12-34');
  });

  it.each(rejected)('keeps a text with %j unchanged, and rejects it with the position', (character) => {
    const text = ` 😀\u200b12${character}34`;
    expect(cleanText(text, kind)).toBe(text);
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    expect(unreadableCharacter(text)).toEqual({ character: `U+${code}`, position: 6 });
  });
});

it("applies the table's kind to each text field of an order", async () => {
  const page = await readFile(new URL('../../../docs/open-points.md', import.meta.url), 'utf8');
  for (const rule of orderFields) {
    if (rule.type !== 'string') continue;
    const kind = 'text' in rule ? rule.text : 'code';
    expect([rule.name, textRules[kind].fields]).toEqual([
      rule.name,
      expect.stringContaining(`\`${rule.name}\``),
    ]);
  }
  const say = {
    strip: { invisible: 'all invisible ones', marks: 'all but joiners', nothing: 'none' },
    ascii: { always: 'always', 'in-numbers': 'without letters', never: 'never' },
  } as const;
  for (const [, { fields, strip, ascii }] of kinds)
    expect(page).toContain(`| ${fields} | ${say.strip[strip]} | ${say.ascii[ascii]} |`);
});

it.each([
  '\u202a+62 812\u20113456\u20117890\u202c',
  '\u200e081234567890',
  '0812\u00ad3456\u00ad7890',
  '0812\u00a03456\u00a07890',
  '006281234567890',
  '0062 812-3456-7890',
  '＋６２８１２３４５６７８９０',
  '۰۸۱۲۳۴۵۶۷۸۹۰',
])('reads a pasted phone number %j as it looks to people', (whatsapp) => {
  const read = normaliseFields(orderFields, { ...fixtureOrder, whatsapp });
  expect(validateFields(orderFields, read)).not.toHaveProperty('errors');
  expect(normalPhone(String(read.whatsapp))).toBe('6281234567890');
});

it('accepts 00 at the start of a foreign phone number', () => {
  const read = normaliseFields(orderFields, { ...fixtureOrder, whatsapp: '006581234567' });
  expect(validateFields(orderFields, read)).not.toHaveProperty('errors');
});

it.each(['id', 'server', 'email', 'whatsapp', 'nickname', 'promo_code', 'game', 'return_url'])(
  'rejects a lone surrogate in %s with its position, in every language',
  (name) => {
    const read = normaliseFields(orderFields, { ...fixtureOrder, [name]: 'Budi \ud83d' });
    const checked = validateFields(orderFields, read);
    const errors = 'errors' in checked ? checked.errors : {};
    expect(messagesByField(errors, 'en')[name]?.[0]).toMatch(/must not contain U\+D83D \(character 6\)\.$/);
    expect(messagesByField(errors, 'id')[name]?.[0]).toMatch(/U\+D83D \(karakter ke-6\)\.$/);
  },
);

describe('the account of an order', () => {
  const targetOf = async (fields: object) => {
    const service = await createTestService();
    const { status, json } = await service.order({ ...fixtureOrder, ...fields });
    if (status !== 201) return json.errors;
    const order = await service.store.findOrder(json.orderId);
    return [order?.target.id, order?.target.server];
  };

  it.each<[id: string, server: string | undefined]>([
    ['12345678 (2012)', undefined],
    ['12345678 (2012)', '2012'],
    ['12345678(2012)', undefined],
    ['12345678 [2012]', undefined],
    ['\u2068１２３４５６７８（２０１２）\u2069', undefined],
    ['1234 5678', '(2012)'],
    ['12345678\u200b', '2012\u202c'],
    ['1234-5678', ' 2012 '],
  ])('normalises %j and %j to 12345678 in zone 2012', async (id, server) => {
    expect(await targetOf({ id, server })).toEqual(['12345678', '2012']);
  });

  it('rejects an account with two zones', async () => {
    expect(Object.keys(await targetOf({ id: '12345678 (2012)', server: '2013' }))).toEqual(['server']);
  });

  it('keeps an account in another form unchanged', async () => {
    expect(await targetOf({ id: 'Budi - 7', server: '2012' })).toEqual(['Budi - 7', '2012']);
  });

  it('keeps the characters of a name', async () => {
    const service = await createTestService();
    const { json } = await service.get('/games/valorant');
    const product_id = json.data.products[0].id;
    const { json: placed } = await service.order({
      ...{ ...fixtureOrder, promo_code: undefined, quantity: 1 },
      ...{ game: 'valorant', product_id, id: 'ＡＢＣ７#１２', server: undefined },
    });
    const order = await service.store.findOrder(placed.orderId);
    expect(order?.target.id).toBe('ＡＢＣ７#１２');
  });

  it('checks an account in the same way as an order', async () => {
    const service = await createTestService();
    const { json } = await service.send('/account/check', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ game: 'mobile-legends', id: '12345678 (2012)' }),
    });
    expect(json.data).toMatchObject({ id: '12345678', server: '2012' });
  });
});

it('keeps texts as the client sent them if the dialect says so', async () => {
  const service = await createTestService({ settings: { dialect: { ...kitDialect, texts: 'kept' } } });
  const { json } = await service.order({ ...fixtureOrder, nickname: ' a\u200b\tb\ud83d ' });
  const order = await service.store.findOrder(json.orderId);
  expect(order?.target.nickname).toBe('a\u200b\tb\ufffd');
});

it('replays an order that was stored before the kit cleaned texts', async () => {
  const headers = { 'Idempotency-Key': 'key-1' };
  const order = { ...fixtureOrder, nickname: 'Bu\u200bdi' };
  const before = await createTestService({ settings: { dialect: { ...kitDialect, texts: 'kept' } } });
  const first = await before.order(order, { headers });
  const after = await createTestService({ store: () => before.store });
  const second = await after.order(order, { headers });
  expect([second.status, second.json.orderId]).toEqual([201, first.json.orderId]);
});

it.each(['cleaned', 'kept'] as const)(
  'computes a former fingerprint from the texts as the client sent them, even if they are now %s',
  (texts) => {
    const { formerly } = orderRules({ ...kitDialect, texts });
    const sent = normaliseFields(formerly, { ...fixtureOrder, nickname: ' Bu\0\u200bdi\ud83d ' });
    expect(sent).toHaveProperty('nickname', 'Bu\0\u200bdi\ud83d');
  },
);

describe('a catalogue file', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the parsed file
  const changed = (change: (file: any) => void) => {
    const file = structuredClone(sandboxCatalogFile);
    change(file);
    const read = readCatalogFile(file);
    return 'problems' in read ? read.problems.map(({ path, rule }) => `${path}: ${rule}`) : [];
  };

  it.each(['\0', '\n', '\ud83d', '\u2028'])('rejects a text with %j with its position', (character) => {
    const [problem] = changed((file) => {
      file.games[0].products[0].title = `86${character} Diamond`;
    });
    expect(problem).toMatch(/^games\[0\]\.products\[0\]\.title: must not contain U\+\w{4} \(character 3\)$/);
  });

  it('accepts lines in a description, but no lone surrogates', () => {
    const describe = (text: string) => changed((file) => Object.assign(file.games[0], { description: text }));
    expect(describe('a\nb')).toEqual([]);
    expect(describe('a\nb\ud83d')).toEqual([expect.stringContaining('U+D83D (character 4)')]);
  });

  it.each(['(a+)+', '\\d{5,3}', '.*', 'a|b', '\\w+'])('rejects the pattern %s', (pattern) => {
    expect(changed((file) => Object.assign(file.games[0].fields[0], { pattern }))).toHaveLength(1);
  });
});
