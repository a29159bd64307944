import type { StoredKey } from '@topup-kit/core/store';
import { assertEqual } from '../assertions.ts';
import { key, moment, ok } from './fixtures.ts';
import type { StoreCases } from './store-case.ts';

/** Creates a key that replaces another key. */
const nextKey = (over: Partial<StoredKey> = {}): StoredKey =>
  key({ keyId: 'key_2', hash: 'b'.repeat(64), createdAt: moment + 5, ...over });

export const keyCases: StoreCases = {
  'a key is found only by its hash': async (store) => {
    assertEqual(await store.createKey(key()), ok, 'create');
    assertEqual(await store.findKey('a'.repeat(64)), key(), 'found');
    assertEqual(await store.findKey('b'.repeat(64)), null, 'another hash');
  },
  'the same key is not stored twice': async (store) => {
    await store.createKey(key());
    assertEqual(await store.createKey(key({ keyId: 'key_2' })), { conflict: 'key_taken' }, 'same key');
    assertEqual(await store.createKey(key({ hash: 'b'.repeat(64) })), { conflict: 'key_taken' }, 'same id');
    assertEqual(await store.listKeys(), [key()], 'list');
  },
  'keys are listed oldest first': async (store) => {
    const older = key({ keyId: 'key_2', hash: 'b'.repeat(64), createdAt: moment });
    const newer = key({ keyId: 'key_1', hash: 'c'.repeat(64), createdAt: moment + 1 });
    await store.createKey(older);
    await store.createKey(newer);
    assertEqual(await store.listKeys(), [older, newer], 'list');
  },
  'a key is revoked once: the first time stays': async (store) => {
    await store.createKey(key());
    assertEqual(await store.revokeKey('key_1', moment + 5), ok, 'revoke');
    const revision = await store.revision();
    assertEqual(await store.revokeKey('key_1', moment + 9), ok, 'again');
    assertEqual(await store.revision(), revision, 'the revision stays');
    assertEqual((await store.findKey('a'.repeat(64)))?.revokedAt, moment + 5, 'revokedAt');
    assertEqual(await store.revokeKey('key_9', moment), { conflict: 'key_missing' }, 'unknown key');
  },
  'a key keeps when it expires': async (store) => {
    await store.createKey(key({ expiresAt: moment + 9 }));
    assertEqual(await store.findKey('a'.repeat(64)), key({ expiresAt: moment + 9 }), 'found');
  },
  'a rotated key expires when the overlap ends, and names the key that replaces it': async (store) => {
    await store.createKey(key());
    const revision = await store.revision();
    assertEqual(await store.rotateKey('key_1', nextKey(), moment + 60), ok, 'rotate');
    assertEqual(await store.revision(), revision + 1, 'the revision grows');
    assertEqual(
      await store.listKeys(),
      [key({ expiresAt: moment + 60, replacedBy: 'key_2' }), nextKey()],
      'list',
    );
  },
  'a rotated key does not live longer than without the rotation': async (store) => {
    await store.createKey(key({ expiresAt: moment + 30 }));
    assertEqual(await store.rotateKey('key_1', nextKey(), moment + 60), ok, 'rotate');
    assertEqual((await store.findKey('a'.repeat(64)))?.expiresAt, moment + 30, 'expiresAt');
  },
  'only an active key without a replacement is rotated': async (store) => {
    const inactive = { conflict: 'key_inactive' };
    const rotate = (keyId: string) => store.rotateKey(keyId, nextKey(), moment + 60);
    await store.createKey(key({ keyId: 'key_r', hash: 'd'.repeat(64), revokedAt: moment }));
    await store.createKey(key({ keyId: 'key_e', hash: 'e'.repeat(64), expiresAt: nextKey().createdAt }));
    await store.createKey(key({ keyId: 'key_o', hash: 'f'.repeat(64), replacedBy: 'key_n' }));
    await store.createKey(key({ keyId: 'key_n', hash: '0'.repeat(64) }));
    const before = await store.listKeys();
    assertEqual(await rotate('key_r'), inactive, 'revoked');
    assertEqual(await rotate('key_e'), inactive, 'expired');
    assertEqual(await rotate('key_o'), inactive, 'rotated');
    assertEqual(await rotate('key_9'), { conflict: 'key_missing' }, 'unknown');
    assertEqual(await store.listKeys(), before, 'nothing is changed');
  },
  'a key whose replacement was revoked is rotated again': async (store) => {
    await store.createKey(key());
    await store.rotateKey('key_1', nextKey(), moment + 60);
    await store.revokeKey('key_2', moment + 6);
    const another = nextKey({ keyId: 'key_3', hash: 'c'.repeat(64), createdAt: moment + 7 });
    assertEqual(await store.rotateKey('key_1', another, moment + 90), ok, 'rotate');
    assertEqual(
      await store.findKey('a'.repeat(64)),
      key({ expiresAt: moment + 60, replacedBy: 'key_3' }),
      'the key',
    );
  },
  'a rotation to a key that is taken changes neither key': async (store) => {
    const other = key({ keyId: 'key_3', hash: 'c'.repeat(64) });
    await store.createKey(key());
    await store.createKey(other);
    for (const taken of [nextKey({ keyId: 'key_3' }), nextKey({ hash: 'c'.repeat(64) })])
      assertEqual(await store.rotateKey('key_1', taken, moment), { conflict: 'key_taken' }, 'taken');
    assertEqual(await store.listKeys(), [key(), other], 'list');
  },
  'of two rotations at once, one replaces the key': async (store) => {
    await store.createKey(key());
    const outcomes = await Promise.all([
      store.rotateKey('key_1', nextKey(), moment + 60),
      store.rotateKey('key_1', nextKey({ keyId: 'key_3', hash: 'c'.repeat(64) }), moment + 60),
    ]);
    const [first, second] = outcomes.toSorted((outcome) => ('done' in outcome ? -1 : 1));
    assertEqual([first, second], [ok, { conflict: 'key_inactive' }], 'outcomes');
    assertEqual((await store.listKeys()).length, 2, 'keys');
  },
  'the latest use of a key is kept, without a new revision': async (store) => {
    await store.createKey(key());
    await store.createKey(nextKey());
    const revision = await store.revision();
    const used = async () => (await store.listKeys()).map(({ lastUsedAt }) => lastUsedAt);
    await store.recordKeyUses(new Map([['key_1', moment + 7]]));
    assertEqual(await used(), [moment + 7, null], 'first use');
    const uses = [
      ['key_1', moment + 3],
      ['key_2', moment + 8],
      ['key_9', moment],
    ] as const;
    assertEqual(await store.recordKeyUses(new Map(uses)), ok, 'an unknown key is no error');
    assertEqual(await used(), [moment + 7, moment + 8], 'an earlier use changes nothing');
    assertEqual(await store.revision(), revision, 'the revision stays');
  },
};
