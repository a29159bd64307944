import { assertEqual } from '../../assertions.ts';
import { key, moment, ok } from './fixtures.ts';
import type { StoreCase } from './store-case.ts';

export const keyCases: StoreCase[] = [
  {
    name: 'a key is found only by its hash',
    async run(store) {
      assertEqual(await store.createKey(key()), ok, 'create');
      assertEqual(await store.findKey('a'.repeat(64)), key(), 'found');
      assertEqual(await store.findKey('b'.repeat(64)), null, 'another hash');
    },
  },
  {
    name: 'the same key is not stored twice',
    async run(store) {
      await store.createKey(key());
      assertEqual(await store.createKey(key({ keyId: 'key_2' })), { conflict: 'key_taken' }, 'same key');
      assertEqual(await store.createKey(key({ hash: 'b'.repeat(64) })), { conflict: 'key_taken' }, 'same id');
      assertEqual(await store.listKeys(), [key()], 'list');
    },
  },
  {
    name: 'keys are listed oldest first',
    async run(store) {
      const older = key({ keyId: 'key_2', hash: 'b'.repeat(64), createdAt: moment });
      const newer = key({ keyId: 'key_1', hash: 'c'.repeat(64), createdAt: moment + 1 });
      await store.createKey(older);
      await store.createKey(newer);
      assertEqual(await store.listKeys(), [older, newer], 'list');
    },
  },
  {
    name: 'a key is revoked once: the first time stays',
    async run(store) {
      await store.createKey(key());
      assertEqual(await store.revokeKey('key_1', moment + 5), ok, 'revoke');
      const revision = await store.revision();
      assertEqual(await store.revokeKey('key_1', moment + 9), ok, 'again');
      assertEqual(await store.revision(), revision, 'the revision stays');
      assertEqual((await store.findKey('a'.repeat(64)))?.revokedAt, moment + 5, 'revokedAt');
      assertEqual(await store.revokeKey('key_9', moment), { conflict: 'key_missing' }, 'unknown key');
    },
  },
];
