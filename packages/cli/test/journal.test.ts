import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  claimOrder,
  deleteOrder,
  hashApiKey,
  inJournal,
  journalFolder,
  saveOrder,
  unfinishedOrders,
} from '../src/pending-orders/journal.ts';
import { temporaryFolder } from './helpers/folder.ts';

let folder: ReturnType<typeof temporaryFolder>;
let io: { environment: Record<string, string> };
beforeEach(() => {
  folder = temporaryFolder();
  io = { environment: { XDG_STATE_HOME: folder.path } };
});
afterEach(() => folder[Symbol.dispose]());

const request = { game: 'ml', product_id: 1, payment_method_id: 12, id: '1', whatsapp: '081234567890' };
const order = { base_url: 'https://shop.example/api', api_key_hash: hashApiKey('tk_x'), request };

const files = (): string[] => readdirSync(journalFolder(io));
const unfinished = (identity = order) => unfinishedOrders(io, identity);
const keys = (identity = order) => unfinished(identity).map((one) => one.order?.idempotency_key);

/** A process as the system knows it. */
function processOf(pid: number): { pid: number; started: string } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return { pid, started: started ?? expect.fail('no start time') };
}

/** The process that started this one. */
const parent = () => processOf(process.ppid);

/** Makes the only entry belong to another process, since so many seconds ago. */
function giveTo({ pid, started }: { pid: number; started: string }, secondsAgo: number): void {
  const [name = ''] = files();
  const text = readFileSync(join(journalFolder(io), name), 'utf8');
  const [fingerprint, id] = name.split('.');
  const since = Date.now() - secondsAgo * 1_000;
  rmSync(join(journalFolder(io), name));
  writeFileSync(join(journalFolder(io), `${fingerprint}.${id}.${pid}.${started}.${since}.json`), text);
}

/** Replaces what is in the only entry. */
const overwrite = (text: string): void => writeFileSync(join(journalFolder(io), files()[0] ?? ''), text);

const change = (more: object): string => {
  const [name = ''] = files();
  return JSON.stringify({ ...JSON.parse(readFileSync(join(journalFolder(io), name), 'utf8')), ...more });
};

describe('an order that will be sent', () => {
  it('saves an order before sending it, without the API key and readable only by its user', () => {
    const saved = saveOrder(io, order);
    const [name = '', ...others] = files();
    expect(others).toEqual([]);
    const path = join(journalFolder(io), name);
    expect([statSync(path).mode & 0o777, statSync(journalFolder(io)).mode & 0o777]).toEqual([0o600, 0o700]);
    const text = readFileSync(path, 'utf8');
    expect(JSON.parse(text)).toEqual({
      ...order,
      idempotency_key: saved.order.idempotency_key,
      started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
    });
    expect(text).not.toContain('tk_x');
  });

  it('deletes a saved order after its result was printed', () => {
    const saved = saveOrder(io, order);
    deleteOrder(saved);
    expect(files()).toEqual([]);
    deleteOrder(saved);
  });

  it('uses a new key for each order', () => {
    const [first, second] = [saveOrder(io, order), saveOrder(io, order)];
    expect(first.order.idempotency_key).not.toBe(second.order.idempotency_key);
    expect(new Set(keys())).toEqual(new Set([first.order.idempotency_key, second.order.idempotency_key]));
  });
});

describe('an unfinished order', () => {
  it.each([
    ['with a slash after the address', { ...order, base_url: 'https://shop.example/api/' }, 1],
    ['with a host in capitals', { ...order, base_url: 'https://SHOP.example/api' }, 1],
    ['of another service', { ...order, base_url: 'https://other.example/api' }, 0],
    ['of another product', { ...order, request: { ...request, product_id: 2 } }, 0],
  ])('finds the unfinished order of the same command, %s', (_case, identity, count) => {
    saveOrder(io, order);
    expect(unfinished(identity)).toHaveLength(count);
  });

  it('lets one process claim an unfinished order with its first key', () => {
    const { idempotency_key } = saveOrder(io, order).order;
    const [found] = unfinished();
    const [again] = unfinished();
    const claimed = found?.order && claimOrder(found);
    expect(claimed?.order.idempotency_key).toBe(idempotency_key);
    expect(again?.order && claimOrder(again)).toBeUndefined();
    if (claimed) deleteOrder(claimed);
    expect(files()).toEqual([]);
  });

  it('reads an unfinished order in the first file format', () => {
    const started_at = '2026-11-28T09:52:12.378Z';
    const saved = { ...order, idempotency_key: '95e130d5-d22a-4af6-b3cc-283d137e6af8', started_at };
    const name =
      'bcfce10cdc39dc419d64f43cd64c86cf.f3163737-78f6-4e0b-97f4-4661a37dd3df.4323.4468690.1795859532378.json';
    const file = join(journalFolder(io), name);
    mkdirSync(journalFolder(io), { recursive: true });
    writeFileSync(file, `${JSON.stringify(saved)}\n`);
    expect(unfinished()).toEqual([{ file, order: saved }]);
  });

  it('returns several unfinished orders, oldest first', () => {
    const first = saveOrder(io, order);
    overwrite(change({ started_at: '2099-01-01T00:00:00.000Z' }));
    const second = saveOrder(io, order);
    expect(keys()).toEqual([second.order.idempotency_key, first.order.idempotency_key]);
  });

  it.runIf(process.platform === 'linux')('leaves out an order that a running process is sending', () => {
    saveOrder(io, order);
    giveTo(parent(), 1);
    expect(keys()).toEqual([]);
    expect(files()).toHaveLength(1);
  });

  it.runIf(process.platform === 'linux').each([
    ['a process that has held it for longer than a request takes', () => parent(), 61],
    ['a process whose clock was ahead', () => parent(), -61],
    ['a process that has ended, whose id another has now', () => ({ ...parent(), started: '1' }), 1],
    ['a process that there is not', () => ({ pid: 4_194_305, started: '1' }), 1],
    ['a process that there is not, of an unknown start', () => ({ pid: 4_194_305, started: '-' }), 1],
    ['this process', () => processOf(process.pid), 1],
  ])('returns an unfinished order of %s', (_case, owner, secondsAgo) => {
    saveOrder(io, order);
    giveTo(owner(), secondsAgo);
    expect(keys()).toHaveLength(1);
  });

  it('leaves out an order of a running process whose start time is unknown', () => {
    saveOrder(io, order);
    giveTo({ pid: process.ppid, started: '-' }, 1);
    expect(keys()).toEqual([]);
  });

  it.each([
    ['no JSON', () => '{'],
    ['nothing', () => 'null'],
    ['no order', () => '{}'],
    ['no request', () => change({ request: null })],
    ['a text instead of a request', () => change({ request: 'x' })],
    ['no time', () => change({ started_at: 'yesterday' })],
    ['no key', () => change({ idempotency_key: 1 })],
    ['another order', () => change({ base_url: 'https://other.example/api' })],
  ])('returns a file with %s as unreadable, before the other files', (_case, text) => {
    const { file } = saveOrder(io, order);
    overwrite(text());
    const { order: other } = saveOrder(io, order);
    expect(unfinished()).toEqual([{ file, order: undefined }, expect.objectContaining({ order: other })]);
  });

  it('ignores files that are not entries of the journal', () => {
    saveOrder(io, order);
    const [name = ''] = files();
    for (const other of [`x${name}`, `${name}x`, 'notes.json', name.replace(/^\w/, 'z')])
      writeFileSync(join(journalFolder(io), other), '{');
    expect(keys()).toHaveLength(1);
  });
});

describe('the journal', () => {
  it("stops the command before it sends anything if the journal can't be written", () => {
    writeFileSync(join(folder.path, 'taken'), '');
    io.environment.XDG_STATE_HOME = join(folder.path, 'taken');
    const save = () => inJournal(io, () => saveOrder(io, order));
    expect(save).toThrow(`Orders can't be saved in ${journalFolder(io)}: `);
    try {
      save();
    } catch (error) {
      expect(error).toMatchObject({
        details: { code: 'STATE_FOLDER', exitCode: 1, hint: expect.stringContaining('--idempotency-key') },
      });
    }
  });
});
