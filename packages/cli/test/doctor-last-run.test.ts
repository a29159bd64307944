import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Finding, failed, good, skipped, warning } from '../src/commands/doctor/check.ts';
import { compare, openLastRun } from '../src/commands/doctor/last-run.ts';
import { stateFolder } from '../src/config/file.ts';
import type { Io } from '../src/io.ts';
import { temporaryFolder } from './helpers/folder.ts';

const first = new Set<string>();
const found = (...names: string[]): Finding => {
  const only = (some: readonly string[]) => failed('stuck', `stuck: ${some.join()}`, 'Look.');
  return { ...only(names), about: { names, only } };
};

describe('findings since the last run', () => {
  it('reports all problems on the first run, but no passed check', () => {
    const findings = [failed('service', 'down', 'Start it.'), good('key', 'works'), skipped('store', 'none')];
    expect(compare(findings, first)).toEqual({
      problems: new Set(['service failed Start it.']),
      checks: [failed('service', 'down', 'Start it.')],
      ...{ fresh: 1, standing: 0, over: 0 },
    });
  });

  it("doesn't report an old problem whose numbers have changed", () => {
    const { problems } = compare([warning('clock', 'is 5 s late', 'Set it.')], first);
    expect(compare([warning('clock', 'is 9 s late', 'Set it.')], problems)).toMatchObject({
      ...{ checks: [], fresh: 0, standing: 1, over: 0 },
    });
  });

  it('reports a problem that became worse', () => {
    const { problems } = compare([warning('clock', 'late', 'Set it.')], first);
    expect(compare([failed('clock', 'late', null)], problems)).toEqual({
      problems: new Set(['clock failed ']),
      checks: [failed('clock', 'late', null)],
      ...{ fresh: 1, standing: 0, over: 1 },
    });
  });

  it('reports only the new items of a check', () => {
    const { problems } = compare([found('INV-1', 'INV-2')], first);
    expect(problems).toEqual(new Set(['stuck INV-1', 'stuck INV-2']));
    expect(compare([found('INV-2', 'INV-3')], problems)).toEqual({
      problems: new Set(['stuck INV-2', 'stuck INV-3']),
      checks: [failed('stuck', 'stuck: INV-3', 'Look.')],
      ...{ fresh: 1, standing: 1, over: 1 },
    });
  });

  it('counts a problem as solved when its check found nothing', () => {
    const { problems } = compare([failed('service', 'down', 'Start it.')], first);
    expect(compare([good('service', 'up')], problems)).toMatchObject({ problems: first, over: 1 });
  });

  it("keeps a reported problem while its check can't run", () => {
    const { problems } = compare([failed('service', 'down', 'Start it.')], first);
    for (const findings of [[skipped('service', 'no key')], []])
      expect(compare(findings, problems)).toEqual({
        ...{ problems, checks: [], fresh: 0, standing: 1, over: 0 },
      });
  });

  it.each([
    ['read', good('store', 'intact'), 1],
    ['read, and waits for a server', warning('store', 'overdue', 'Start one.'), 1],
    ['not read', failed('store', 'damaged', 'Restore it.'), 0],
    ['not there', skipped('store', 'none'), 0],
  ])('counts an alert as solved when the store was %s', (_case, store, over) => {
    const { problems } = compare([found('INV-1')], first);
    expect(compare([store], problems).over).toBe(over);
  });
});

describe('the last run', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let io: Io;
  beforeEach(() => {
    folder = temporaryFolder();
    io = { environment: { XDG_STATE_HOME: folder.path } } as unknown as Io; // Safe: the code uses nothing else of this value.
  });
  afterEach(() => folder[Symbol.dispose]());
  const doctorFolder = (): string => join(stateFolder(io), 'doctor');
  const files = (): string[] => readdirSync(doctorFolder()).map((name) => join(doctorFolder(), name));
  const subject = ['https://shop.example/api', '/data/topup.db'];

  it('stores the last run separately for each subject and user', () => {
    expect(openLastRun(io, subject).problems).toEqual(new Set());
    openLastRun(io, subject).save(new Set(['a b', 'c d']));
    expect(openLastRun(io, subject).problems).toEqual(new Set(['a b', 'c d']));
    expect(openLastRun(io, ['https://other.example/api', '/data/topup.db']).problems).toEqual(new Set());
    const [file = '', ...others] = files();
    expect(others).toEqual([]);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ checked: subject, problems: ['a b', 'c d'] });
  });

  it('replaces the stored last run, even after an interrupted run', () => {
    openLastRun(io, subject).save(new Set(['a b']));
    writeFileSync(`${files()[0]}.new`, '{');
    openLastRun(io, subject).save(new Set());
    expect(openLastRun(io, subject).problems).toEqual(new Set());
    expect(files()).toHaveLength(1);
  });

  it.each([
    ['{', []],
    ['1', []],
    ['{"problems":1}', []],
    ['{"problems":["a b",1]}', ['a b']],
  ])('reads the valid parts of a damaged last run %s', (text, problems) => {
    openLastRun(io, subject).save(new Set());
    writeFileSync(files()[0] ?? '', text);
    expect(openLastRun(io, subject).problems).toEqual(new Set(problems));
  });

  it('explains how to fix an unreadable last run', () => {
    openLastRun(io, subject).save(new Set());
    const [file = ''] = files();
    folder[Symbol.dispose]();
    mkdirSync(file, { recursive: true });
    const expected = {
      message: expect.stringContaining(`The problems can't be saved in ${file}: `),
      details: {
        code: 'STATE',
        exitCode: 1,
        hint: 'Give this user write access to it, or set XDG_STATE_HOME to another folder.',
      },
    };
    expect(() => openLastRun(io, subject)).toThrow(expect.objectContaining({ message: expected.message }));
    try {
      openLastRun(io, subject);
    } catch (error) {
      expect(error).toMatchObject(expected);
    }
    const another = openLastRun(io, ['x']);
    folder[Symbol.dispose]();
    writeFileSync(folder.path, '');
    expect(() => another.save(new Set())).toThrow("The problems can't be saved in ");
  });
});
