import type { BackupFacts } from '@topup-kit/server';
import type { Look } from '../../output/style.ts';
import { table } from '../../output/table.ts';
import { factLines, factsDocument, grouped, newestOrder } from '../backup/facts.ts';
import type { Present } from './present.ts';

export interface Plan {
  /** The backup's file. */
  file: string;
  backup: BackupFacts;
  /** The store's file. */
  path: string;
  present: Present;
}

const columns = [{}, { title: 'STORE NOW' }, { title: 'BACKUP' }];

/** What would be replaced, beside what it would be replaced by. */
export function comparison({ backup, present }: Plan, look: Look): string {
  const now = present.is === 'store' ? factLines(present.facts) : [];
  const rows = factLines(backup).map(([label, value], index) => [
    label,
    now[index]?.[1] ?? present.is,
    value ?? '',
  ]);
  return table(columns, rows, { ...look, indent: 2 });
}

const inWords = (facts: Pick<BackupFacts, 'orders' | 'newestOrderAt'>): string =>
  `orders: ${grouped(facts.orders)}, newest: ${newestOrder(facts)}`;

function presentWords({ path, present }: Plan): string {
  if (present.is === 'nothing') return `${path}, where there is no store`;
  return `the store ${path} (${present.is === 'store' ? inWords(present.facts) : 'unreadable'})`;
}

/** What a restore does, in a sentence. */
export const consequence = (plan: Plan): string =>
  `A restore puts the backup ${plan.file} (${inWords(plan.backup)}) in the place of ${presentWords(plan)}.`;

/** What to think of before a restore. */
export function warnings({ backup, present }: Plan): string[] {
  const mode = present.is === 'store' ? present.facts.mode : null;
  const otherMode = mode !== null && backup.mode !== null && mode !== backup.mode;
  return [
    ...(backup.sealed
      ? []
      : ['The backup has no checksum, as `topup backup` gives one: it is a plain copy.']),
    ...(otherMode ? [`The backup is of a ${backup.mode} store, and the store is a ${mode} one.`] : []),
  ];
}

/** For programs: what was there, and what is there now or would be. */
export const restoreDocument = ({ file, backup, path, present }: Plan) => ({
  file,
  store: path,
  replaced: present.is === 'store' ? factsDocument(present.facts) : null,
  restored: { bytes: backup.bytes, has_checksum: backup.sealed, ...factsDocument(backup) },
});
