import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashApiKey, journalFolder, openJournal } from '../src/pending-orders/journal.ts';
import { currentProcess, isRunningElsewhere } from '../src/pending-orders/process-lock.ts';
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
const unfinished = (identity = order) => openJournal(io).unfinished(identity);
const keys = (identity = order): string[] => unfinished(identity).map((one) => one.order.idempotency_key);

/** The process that started this one, as the system knows it. */
function parent(): { pid: number; started: string } {
  const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return { pid: process.ppid, started: started ?? expect.fail('no start time') };
}

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

describe('an order that is about to be sent', () => {
  it('is on disk, readable by its user alone, without the key', () => {
    const entry = openJournal(io).add(order);
    const [name = '', ...others] = files();
    expect(others).toEqual([]);
    const path = join(journalFolder(io), name);
    expect([statSync(path).mode & 0o777, statSync(journalFolder(io)).mode & 0o777]).toEqual([0o600, 0o700]);
    const text = readFileSync(path, 'utf8');
    expect(JSON.parse(text)).toEqual({
      ...order,
      idempotency_key: entry.order.idempotency_key,
      started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
    });
    expect(text).not.toContain('tk_x');
  });

  it('is forgotten when its result was printed', () => {
    const entry = openJournal(io).add(order);
    entry.delete();
    expect(files()).toEqual([]);
    entry.delete();
  });

  it('has a key of its own each time', () => {
    const journal = openJournal(io);
    const [first, second] = [journal.add(order), journal.add(order)];
    expect(first.order.idempotency_key).not.toBe(second.order.idempotency_key);
    expect(new Set(keys())).toEqual(new Set([first.order.idempotency_key, second.order.idempotency_key]));
  });
});

describe('an unfinished order', () => {
  it.each([
    ['with a slash after the address', { ...order, base_url: 'https://shop.example/api/' }, 1],
    ['whose host is in capitals', { ...order, base_url: 'https://SHOP.example/api' }, 1],
    ['of another service', { ...order, base_url: 'https://other.example/api' }, 0],
    ['of another product', { ...order, request: { ...request, product_id: 2 } }, 0],
  ])('is found by the same order, %s', (_case, identity, count) => {
    openJournal(io).add(order);
    expect(unfinished(identity)).toHaveLength(count);
  });

  it('is claimed once, under its first key', () => {
    const { idempotency_key } = openJournal(io).add(order).order;
    const [found] = unfinished();
    const [again] = unfinished();
    const claimed = found?.claim();
    expect(claimed?.order.idempotency_key).toBe(idempotency_key);
    expect(again?.claim()).toBeUndefined();
    claimed?.delete();
    expect(files()).toEqual([]);
  });

  it('is one of several, the oldest first', () => {
    const journal = openJournal(io);
    const first = journal.add(order);
    overwrite(change({ started_at: '2099-01-01T00:00:00.000Z' }));
    const second = journal.add(order);
    expect(keys()).toEqual([second.order.idempotency_key, first.order.idempotency_key]);
  });

  it('is replaced by another, which is on disk before', () => {
    openJournal(io).add(order);
    openJournal(io).add({ ...order, base_url: 'https://other.example/api' });
    const entry = openJournal(io).replace(order);
    expect(keys()).toEqual([entry.order.idempotency_key]);
    expect(files()).toHaveLength(2);
  });

  it.runIf(process.platform === 'linux')('is not one that a running process sends', () => {
    openJournal(io).add(order);
    giveTo(parent(), 1);
    expect(keys()).toEqual([]);
    openJournal(io).replace(order);
    expect(files()).toHaveLength(2);
  });

  it.runIf(process.platform === 'linux').each([
    ['a process that has held it for longer than a request takes', () => parent(), 61],
    ['a process whose clock was ahead', () => parent(), -61],
    ['a process that has ended, whose id another has now', () => ({ ...parent(), started: '1' }), 1],
    ['a process that there is not', () => ({ pid: 4_194_305, started: '1' }), 1],
    ['a process that there is not, of an unknown start', () => ({ pid: 4_194_305, started: '-' }), 1],
    ['this process', currentProcess, 1],
  ])('is one of %s', (_case, owner, secondsAgo) => {
    openJournal(io).add(order);
    giveTo(owner(), secondsAgo);
    expect(keys()).toHaveLength(1);
  });

  it.each([
    ['no JSON', () => '{'],
    ['nothing', () => 'null'],
    ['no order', () => '{}'],
    ['no request', () => change({ request: null })],
    ['a text for a request', () => change({ request: 'x' })],
    ['no time', () => change({ started_at: 'yesterday' })],
    ['no key', () => change({ idempotency_key: 1 })],
    ['another order', () => change({ base_url: 'https://other.example/api' })],
  ])('whose file has %s stops the command, until another order is wanted', (_case, text) => {
    openJournal(io).add(order);
    overwrite(text());
    const path = join(journalFolder(io), files()[0] ?? '');
    expect(() => unfinished()).toThrow(`The entry of an unfinished order can't be read: ${path}`);
    try {
      unfinished();
    } catch (error) {
      expect(error).toMatchObject({
        details: { code: 'STATE_FILE', exitCode: 8, hint: expect.stringContaining('--another') },
      });
    }
    openJournal(io).replace(order);
    expect(keys()).toHaveLength(1);
  });

  it('is none of the files that are no entries', () => {
    openJournal(io).add(order);
    const [name = ''] = files();
    for (const other of [`x${name}`, `${name}x`, 'notes.json', name.replace(/^\w/, 'z')])
      writeFileSync(join(journalFolder(io), other), '{');
    expect(keys()).toHaveLength(1);
  });
});

describe('the journal', () => {
  it('that can not be written stops the command before anything is sent', () => {
    writeFileSync(join(folder.path, 'taken'), '');
    io.environment.XDG_STATE_HOME = join(folder.path, 'taken');
    expect(() => openJournal(io)).toThrow(`Orders can't be saved in ${journalFolder(io)}: `);
    try {
      openJournal(io);
    } catch (error) {
      expect(error).toMatchObject({
        details: { code: 'STATE_FOLDER', exitCode: 1, hint: expect.stringContaining('--idempotency-key') },
      });
    }
  });
});

describe('a process', () => {
  it('is running elsewhere if it is there and not this one', () => {
    expect(isRunningElsewhere(currentProcess())).toBe(false);
    expect(isRunningElsewhere({ pid: process.ppid, started: '-' })).toBe(true);
    expect(isRunningElsewhere({ pid: 4_194_305, started: '-' })).toBe(false);
  });
});
