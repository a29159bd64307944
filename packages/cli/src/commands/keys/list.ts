import { scopes } from '@topup-kit/core/contract';
import type { StoredKey } from '@topup-kit/core/store';
import type { Command } from 'commander';
import { addExample } from '../../command-line.ts';
import type { Io } from '../../io.ts';
import { print, remark } from '../../output/print.ts';
import { type Column, table } from '../../output/table.ts';
import { readableTime } from '../../output/times.ts';
import { type StoreOptions, storeOption, withStore } from '../../store.ts';
import type { Define } from '../define.ts';
import { keyDocument } from './key-document.ts';

const columns: Column[] = [
  { title: 'KEY ID' },
  { title: 'NAME', long: true },
  { title: 'ACCOUNT', long: true },
  { title: 'MAY', long: true },
  { title: 'CREATED' },
  { title: 'STATE' },
];

const asRow = (key: StoredKey): string[] => [
  key.keyId,
  key.name,
  key.accountId,
  scopes.every((scope) => key.scopes.includes(scope)) ? 'everything' : key.scopes.join(', '),
  readableTime(key.createdAt),
  key.revokedAt === null ? 'active' : 'revoked',
];

const listKeys = (options: StoreOptions, io: Io, command: Command): Promise<void> =>
  withStore(io, command, { ...options, mayCreate: false }, async ({ store, path }) => {
    const keys = await store.listKeys();
    const document = { keys: keys.map(keyDocument) };
    await print(io, command, {
      document,
      ids: keys.map(({ keyId }) => keyId),
      screen: (look) => (keys.length === 0 ? '' : table(columns, keys.map(asRow), look)),
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
