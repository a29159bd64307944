import { scopes } from '@topup-kit/core/contract';
import type { StoredKey } from '@topup-kit/core/store';
import type { Command } from 'commander';
import { addExample } from '../../command-line.ts';
import type { Io } from '../../io.ts';
import type { Look } from '../../output/look.ts';
import { print, remark } from '../../output/print.ts';
import { type Column, table } from '../../output/table.ts';
import { readableTime } from '../../output/times.ts';
import { type StoreOptions, storeOption, withStore } from '../../store.ts';
import type { Define } from '../define.ts';
import { keyDocument } from './key-document.ts';

/** A column and what stands in it. */
type KeyColumn = [column: Column, text: (key: StoredKey) => string];

const scopeWords = ({ scopes: given }: StoredKey): string =>
  scopes.every((scope) => given.includes(scope)) ? 'everything' : given.join(', ');

const what: KeyColumn[] = [
  [{ title: 'KEY ID' }, ({ keyId }) => keyId],
  [{ title: 'NAME', long: true }, ({ name }) => name],
  [{ title: 'ACCOUNT', long: true }, ({ accountId }) => accountId],
  [{ title: 'MAY', long: true }, scopeWords],
];
const created: KeyColumn = [{ title: 'CREATED' }, ({ createdAt }) => readableTime(createdAt)];
const state: KeyColumn = [{ title: 'STATE' }, ({ revokedAt }) => (revokedAt === null ? 'active' : 'revoked')];

/** A terminal narrower than this has no room for times. */
const roomForTimes = 80;

function keysTable(keys: readonly StoredKey[], look: Look): string {
  const { columns = Number.POSITIVE_INFINITY } = look;
  const shown = [...what, ...(columns < roomForTimes ? [] : [created]), state];
  return table(
    shown.map(([column]) => column),
    keys.map((key) => shown.map(([, text]) => text(key))),
    look,
  );
}

const listKeys = (options: StoreOptions, io: Io, command: Command): Promise<void> =>
  withStore(io, command, { ...options, mayCreate: false }, async ({ store, path }) => {
    const keys = await store.listKeys();
    const document = { keys: keys.map(keyDocument) };
    await print(io, command, {
      document,
      ids: keys.map(({ keyId }) => keyId),
      screen: (look) => (keys.length === 0 ? '' : keysTable(keys, look)),
    });
    if (keys.length === 0) remark(io, command, `No keys in ${path} yet.`);
  });

export const defineList: Define = (keys, io) => {
  const list = keys
    .command('list')
    .description('List the keys, oldest first')
    .option(...storeOption)
    .action((options: StoreOptions, command: Command) => listKeys(options, io, command));
  addExample(list, io, 'keys list --store file:./data/topup.db');
};
