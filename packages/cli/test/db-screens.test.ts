import type { DatabaseInspection, Inspection } from '@topup-kit/server';
import { describe, expect, it } from 'vitest';
import { copyScreen, progressWords } from '../src/commands/database/copy.ts';
import { statusDocument, statusScreen } from '../src/commands/database/status.ts';
import { advice, type Inspected, isServed } from '../src/commands/database/store-file.ts';
import { type OutputStyle, plain } from '../src/output/style.ts';

const content = {
  formatVersion: 21,
  newestFormat: 21,
  mode: 'live',
  display: null,
  orders: 12_345,
  newestOrderAt: Date.parse('2026-03-29T02:30:00Z'),
  keys: 7,
  activeKeys: 5,
  expiringKeys: [],
  games: 1_034,
  products: 2_560,
  promos: 11,
  states: [],
  reserved: 0,
  nextDueAt: null,
  overdue: 0,
  openReconciliations: 0,
  unknownUnits: 0,
  refundsToPay: 0,
  amountToPay: 0,
  worldOffset: 0,
  bytes: 1_250_000,
} as const;
// Safe: the code shows only these parts of a store.
const inFile = (more: Partial<Inspection> = {}): Inspection =>
  ({ ...content, logBytes: 0, server: null, ...more }) as unknown as Inspection;
const inDatabase = (more: Partial<DatabaseInspection> = {}): DatabaseInspection =>
  ({ ...content, servers: [], ...more }) as unknown as DatabaseInspection;

const file = './data/topup.db';
const screen = (store: Inspected, isChecked = false, style: OutputStyle = plain): string =>
  statusScreen(file, store, isChecked, style);
const marked: OutputStyle = { paint: (name, text) => (name ? `<${name}>${text}</>` : text) };

describe('the state of a store', () => {
  it('shows a file without pending work', () => {
    expect(screen(inFile())).toBe(`  File      ./data/topup.db
  Size      1.3 MB
  Format    21, the newest
  Check     not done; --check looks for damage
  Mode      live
  Server    none runs on it
  Catalog   games: 1,034, products: 2,560, promos: 11
  Keys      active: 5, revoked or expired: 2
  Orders    12,345
  Newest    29 Mar 2026, 09:30 GMT+7
  Next due  nothing
`);
  });

  it('shows a file with every kind of pending work', () => {
    const store = inFile({
      ...{ formatVersion: 20, mode: null, logBytes: 5_000, newestOrderAt: null, worldOffset: 60_000 },
      ...{ server: { pid: 12, address: '127.0.0.1:4000' }, nextDueAt: content.newestOrderAt },
      ...{ reserved: 1_000, overdue: 2_000, openReconciliations: 3, unknownUnits: 4 },
      states: [{ paymentStatus: 'PAID', buyStatus: 'Sukses', count: 12_000 }],
    } as Partial<Inspection>);
    expect(screen(store, true)).toBe(`  File      ./data/topup.db
  Size      1.3 MB, and 5 kB in its log
  Format    20 of 21
  Check     no damage found
  Mode      none yet
  Server    pid 12, 127.0.0.1:4000
  Clock     1 minute ahead of real time
  Catalog   games: 1,034, products: 2,560, promos: 11
  Keys      active: 5, revoked or expired: 2
  Orders    12,345
  Newest    none
  Reserved  1,000
  Next due  29 Mar 2026, 09:30 GMT+7, overdue: 2,000
  Payments  to reconcile: 3
  Items     with unknown outcome: 4

  PAYMENT  DELIVERY  ORDERS
  PAID     Sukses    12,000
`);
    for (const waiting of ['1,000', 'to reconcile: 3', 'with unknown outcome: 4'])
      expect(screen(store, true, marked)).toContain(`<waiting>${waiting}</>`);
    expect(screen(store, true, marked)).toMatch(/<waiting>29 Mar .*, overdue: 2,000<\/>/);
    expect(screen(store, true, marked)).toContain('<good>no damage found</>');
    expect(screen(store, true, marked)).toMatch(/<good>PAID *<\/>/);
    expect(screen(store, true, marked)).toMatch(/<good>Sukses *<\/>/);
    expect(screen(inFile(), false, marked)).not.toContain('<waiting>');
  });

  it('shows a file whose server reports no address', () => {
    expect(screen(inFile({ server: { pid: 12 } } as Partial<Inspection>))).toContain('Server    pid 12\n');
  });

  it('lists the servers of a database on separate lines', () => {
    expect(
      screen(inDatabase({ servers: ['one:4000', 'two:4000'] }))
        .split('\n')
        .slice(0, 6),
    ).toEqual([
      '  Database  ./data/topup.db',
      '  Size      1.3 MB',
      '  Format    21, the newest',
      '  Mode      live',
      '  Servers   one:4000',
      '            two:4000',
    ]);
    expect(screen(inDatabase())).toContain('  Servers   none runs on it\n');
  });

  it('prints a document for a file', () => {
    const server = { pid: 12, address: '127.0.0.1:4000' };
    expect(statusDocument(file, inFile({ server } as Partial<Inspection>), true)).toMatchObject({
      ...{ store: file, check: 'full', bytes: 1_250_000, log_bytes: 0, server, format_version: 21 },
      ...{ newest_order_at: '2026-03-29T02:30:00.000Z', keys: 7, active_keys: 5, products: 2_560 },
    });
    expect(statusDocument(file, inFile({ server: { pid: 12 } } as Partial<Inspection>), false)).toMatchObject(
      { check: null, server: { pid: 12, address: null } },
    );
    expect(statusDocument(file, inFile(), false).next_due_at).toBeNull();
  });

  it('prints a document for a database', () => {
    const states = [{ paymentStatus: 'PAID', buyStatus: 'Sukses', count: 2 }] as const;
    const document = statusDocument(file, inDatabase({ servers: ['one:4000'], states: [...states] }), false);
    expect(document).toMatchObject({
      ...{ bytes: 1_250_000, servers: ['one:4000'] },
      states: [{ payment_status: 'PAID', buy_status: 'Sukses', count: 2 }],
    });
    expect(Object.keys(document)).not.toContain('log_bytes');
    expect(Object.keys(document)).not.toContain('server');
  });
});

describe('the next steps for a store', () => {
  const lines = (store: Inspected): string[] => advice(store, (args) => `topup ${args}`);

  it('suggests nothing if no work is pending', () => {
    expect(lines(inFile())).toEqual([]);
  });

  it.each<[string, Inspected, string]>([
    ['sandbox', inFile({ mode: 'sandbox', overdue: 1 }), 'start one:\n  topup serve --sandbox'],
    ['new', inDatabase({ mode: null, reserved: 1 }), 'start one:\n  topup serve --sandbox'],
    ['live', inFile({ overdue: 1 }), 'start your own server on it.'],
  ])('suggests starting a server for a %s store with pending work', (_mode, store, start) => {
    expect(lines(store)).toEqual([`A server must run to handle overdue and reserved orders: ${start}`]);
  });

  it.each<[string, Inspected]>([
    ['file', inFile({ overdue: 1, server: { pid: 1 } } as Partial<Inspection>)],
    ['database', inDatabase({ overdue: 1, servers: ['one:4000'] })],
  ])('leaves pending work of a %s to its running server', (_kind, store) => {
    expect(lines(store)).toEqual([]);
    expect(isServed(store)).toBe(true);
  });

  it('suggests a look at payments and units', () => {
    expect(lines(inFile({ openReconciliations: 1 }))).toEqual([
      'See the payments to reconcile:\n  topup payments list',
    ]);
    expect(lines(inFile({ unknownUnits: 1 }))).toEqual([
      "The supplier can't be asked for the outcome of some items: look in the supplier's dashboard. See the orders:\n  topup orders list --buy-status Proses",
    ]);
  });
});

it('shows both stores of a copy, and each table with the start of its checksum', () => {
  const tables = [
    { table: 'orders', rows: 12_345, sha256: `0123456789abcdef${'f'.repeat(48)}` },
    { table: 'keys', rows: 7, sha256: 'a'.repeat(64) },
  ];
  const names = { from: file, to: 'postgres://db.internal/topup' };
  expect(copyScreen(names, { tables, resumed: false }, plain)).toBe(`  From      ./data/topup.db
  To        postgres://db.internal/topup

  TABLE     ROWS  SHA-256
  orders  12,345  0123456789abcdef
  keys         7  aaaaaaaaaaaaaaaa
`);
});

it('shows an empty copy as complete', () => {
  expect(progressWords({ step: 'copying', done: 0, total: 0 })).toBe(`Copying ${'█'.repeat(20)} 100 %`);
});
