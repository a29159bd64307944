import { describe, expect, it } from 'vitest';
import { ownStore } from './helpers/own-store.ts';
import { run } from './helpers/run.ts';
import { screensOf, withoutAnyTimes } from './helpers/screens.ts';

let [active, limited] = ['', ''];
const own = ownStore(async (path) => {
  const create = async (...args: string[]): Promise<string> => {
    const { stdout } = await run(['keys', 'create', ...args, '--store', `file:${path}`, '--json']);
    return JSON.parse(stdout).key_id;
  };
  active = await create('--name', 'checkout', '--mode', 'live');
  limited = await create(
    '--name',
    'reader',
    '--account',
    'web',
    '--scope',
    'catalog:read',
    '--expires',
    '90d',
  );
});

const plain = (text: string): string =>
  withoutAnyTimes(text)
    .replaceAll(own.path, '<store>')
    .replaceAll(`${own.folder}/`, '<file>')
    .replaceAll(active, '<active>')
    .replaceAll(limited, '<limited>')
    .replaceAll(/key_\w{10}/g, '<new key>')
    .replaceAll(/tk_live_\w{36}/g, '<secret>')
    .replaceAll(/\d{1,2} \w{3,4} \d{4}\b/g, '<day>');
const options = (columns?: number) => ({ columns, environment: { TOPUP_STORE: own.url } });
const { shown, failing, json } = screensOf((args) => ['keys', ...args], options, plain);
const edit = own.edit;

describe('keys list', () => {
  it('shows the scopes and the expiry of each key', async () => {
    edit(`UPDATE keys SET last_used_at = 1 WHERE key_id = '${active}'`);
    expect((await shown('list')).replaceAll(/ {2,}/g, '  ')).toMatchInlineSnapshot(`
      "KEY ID  NAME  ACCOUNT  MAY  LAST USED  CREATED  STATE
      <active>  checkout  default  everything  <time>  <day>  active
      <limited>  reader  web  catalog:read  never  <day>  until <time>
      exit 0"
    `);
    expect(await json('list')).toMatchInlineSnapshot(`
      {
        "keys": [
          {
            "account_id": "default",
            "created_at": "<time>",
            "expires_at": null,
            "key_id": "<active>",
            "last_used_at": "<time>",
            "name": "checkout",
            "replaced_by": null,
            "replaces": null,
            "revoked_at": null,
            "scopes": [
              "catalog:read",
              "orders:read",
              "orders:write",
            ],
            "state": "active",
          },
          {
            "account_id": "web",
            "created_at": "<time>",
            "expires_at": "<time>",
            "key_id": "<limited>",
            "last_used_at": null,
            "name": "reader",
            "replaced_by": null,
            "replaces": null,
            "revoked_at": null,
            "scopes": [
              "catalog:read",
            ],
            "state": "active",
          },
        ],
      }
    `);
    expect((await run(['keys', 'list', '--quiet'], options())).stdout).toBe(`${active}\n${limited}\n`);
  });

  it('shows why keys no longer work', async () => {
    await run(['keys', 'revoke', active, '--yes'], options());
    edit(`UPDATE keys SET expires_at = 1 WHERE key_id = '${limited}'`);
    expect((await shown('list')).replaceAll(/ {2,}/g, '  ')).toMatchInlineSnapshot(`
      "KEY ID  NAME  ACCOUNT  MAY  LAST USED  CREATED  STATE
      <active>  checkout  default  everything  never  <day>  revoked
      <limited>  reader  web  catalog:read  never  <day>  expired
      exit 0"
    `);
    expect(await failing('rotate', active)).toMatchInlineSnapshot(`
      "Error: <active> (checkout) is revoked, so it can't be rotated.
      \`topup keys create\` makes another key.
      exit 6, KEY_INACTIVE"
    `);
    expect(await failing('rotate', limited)).toMatchInlineSnapshot(`
      "Error: <limited> (reader) is expired, so it can't be rotated.
      \`topup keys create\` makes another key.
      exit 6, KEY_INACTIVE"
    `);
  });

  it('says when there are no keys', async () => {
    edit('DELETE FROM keys');
    expect(await shown('list')).toBe('No keys in <store> yet.\nexit 0');
    expect((await run(['keys', 'list', '--json'], options())).stdout).toBe('{\n  "keys": []\n}\n');
  });
});

describe('keys create', () => {
  it('shows where the new key is stored, and when it expires', async () => {
    expect(await shown('create', '--name', 'new')).toMatchInlineSnapshot(`
      "<secret>
      Made <new key> for account default in the store
      <store>.
      The key is shown only once: the store keeps only its hash.
      exit 0"
    `);
    expect(
      await shown('create', '--name', 'new', '--account', 'a b', '--expires', '90d'),
    ).toMatchInlineSnapshot(`
      "<secret>
      Made <new key> for account a b in the store
      <store>.
      It expires <time>.
      The key is shown only once: the store keeps only its hash.
      exit 0"
    `);
    const store = `file:${own.fileIn('new.db')}`;
    expect(await shown('create', '--name', 'new', '--mode', 'live', '--store', store)).toMatchInlineSnapshot(`
      "<secret>
      Made <new key> for account default in the new store
      <file>new.db.
      The key is shown only once: the store keeps only its hash.
      exit 0"
    `);
    expect(
      await json('create', '--name', 'new', '--scope', 'orders:read,catalog:read'),
    ).toMatchInlineSnapshot(`
      {
        "account_id": "default",
        "created_at": "<time>",
        "expires_at": null,
        "key": "<secret>",
        "key_id": "<new key>",
        "last_used_at": null,
        "name": "new",
        "replaced_by": null,
        "replaces": null,
        "revoked_at": null,
        "scopes": [
          "orders:read",
          "catalog:read",
        ],
        "state": "active",
      }
    `);
  });

  it.each([
    [['--name', ' ']],
    [['--name', 'x'.repeat(256)]],
    [['--name', 'x', '--account', '']],
    [['--name', 'x', '--scope', 'catalog:read,all']],
    [['--name', 'x', '--expires', 'soon']],
    [['--name', 'x', '--expires', '3651d']],
    [['--name', 'x', '--expires', '0d']],
    [['--name', 'x', '--expires', '2020-01-01']],
    [['--name', 'x', '--mode', 'sandbox']],
  ])('rejects the command keys create %j', async (args) => {
    expect(await failing('create', ...args)).toMatchSnapshot();
  });

  it('accepts names and expiry times up to their limits', async () => {
    expect(await json('create', '--name', 'x'.repeat(255), '--expires', '3650d')).toMatchObject({
      state: 'active',
    });
    expect(await json('create', '--name', 'x', '--expires', '2099-12-31T10:00+07:00')).toMatchObject({
      state: 'active',
    });
  });

  it('requires a mode for the servers of a new store', async () => {
    expect(
      await failing('create', '--name', 'x', '--store', `file:${own.fileIn('other.db')}`),
    ).toMatchInlineSnapshot(`
      "Error: No server has opened <file>other.db yet: add --mode sandbox or --mode live.
      exit 2, USAGE"
    `);
  });
});

describe('keys rotate', () => {
  it('shows how long the old key works', async () => {
    expect(await shown('rotate', active)).toMatchInlineSnapshot(`
      "<secret>
      Made <new key> in <store>.
      <active> (checkout) stops working <time>.
      The key is shown only once: the store keeps only its hash.
      exit 0"
    `);
    expect(await failing('rotate', active)).toMatchInlineSnapshot(`
      "Error: <active> (checkout) is already replaced by <new key>, so it can't be rotated.
      \`topup keys create\` makes another key.
      exit 6, KEY_INACTIVE"
    `);
    expect(await shown('rotate', limited, '--overlap', '0s')).toMatchInlineSnapshot(`
      "<secret>
      Made <new key> in <store>.
      <limited> (reader) no longer works.
      The key is shown only once: the store keeps only its hash.
      exit 0"
    `);
    const { keys } = await json('list');
    expect(
      keys.map(({ name, scopes, state, replaces }: Record<string, unknown>) => [
        name,
        scopes,
        state,
        replaces !== null,
      ]),
    ).toMatchInlineSnapshot(`
      [
        [
          "checkout",
          [
            "catalog:read",
            "orders:read",
            "orders:write",
          ],
          "active",
          false,
        ],
        [
          "reader",
          [
            "catalog:read",
          ],
          "expired",
          false,
        ],
        [
          "checkout",
          [
            "catalog:read",
            "orders:read",
            "orders:write",
          ],
          "active",
          true,
        ],
        [
          "reader",
          [
            "catalog:read",
          ],
          "active",
          true,
        ],
      ]
    `);
  });

  it.each([['soon'], ['3651d']])('rejects the overlap %s', async (overlap) => {
    expect(await failing('rotate', active, '--overlap', overlap)).toMatchSnapshot();
  });
});

describe('keys revoke', () => {
  it('asks for confirmation before it revokes a key, and revokes the key once', async () => {
    expect(await failing('revoke', active)).toMatchInlineSnapshot(`
      "Error: This needs --yes: Key <active> (checkout, account default) stops working within a second, for good.
      Nothing was done.
      exit 2, USAGE"
    `);
    expect(await shown('revoke', active, '--dry-run')).toMatchInlineSnapshot(`
      "Nothing was changed. <active> (checkout) would be revoked.
      exit 0"
    `);
    expect(await json('revoke', active, '--dry-run')).toMatchObject({
      key_id: '<active>',
      state: 'active',
      dry_run: true,
    });
    expect(await shown('revoke', active, '--yes')).toMatchInlineSnapshot(`
      "<active> (checkout) has been revoked since <time>.
      exit 0"
    `);
    expect(await shown('revoke', active)).toMatchInlineSnapshot(`
      "<active> (checkout) has been revoked since <time>.
      exit 0"
    `);
    expect(await json('revoke', active)).toMatchInlineSnapshot(`
      {
        "account_id": "default",
        "created_at": "<time>",
        "expires_at": null,
        "key_id": "<active>",
        "last_used_at": null,
        "name": "checkout",
        "replaced_by": null,
        "replaces": null,
        "revoked_at": "<time>",
        "scopes": [
          "catalog:read",
          "orders:read",
          "orders:write",
        ],
        "state": "revoked",
      }
    `);
    expect((await run(['keys', 'revoke', active, '--quiet'], options())).stdout).toBe(`${active}\n`);
  });

  it('rejects an unknown key id, and a key instead of its id', async () => {
    expect(await failing('revoke', 'key_none')).toMatchInlineSnapshot(`
      "Error: There is no key key_none in <store>.
      \`topup keys list\` lists them; give the id of the key, key_..., not the key.
      exit 3, KEY_NOT_FOUND"
    `);
    expect(await failing('rotate', 'tk_live_0123456789abcdefghijABCDEFGHIJ012345')).toMatchInlineSnapshot(`
      "Error: There is no key ****2345 in <store>.
      \`topup keys list\` lists them; give the id of the key, key_..., not the key.
      exit 3, KEY_NOT_FOUND"
    `);
  });
});
