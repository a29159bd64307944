import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { greeting, ignoredVariables, type ServerFacts, serverDocument } from '../src/commands/serve.ts';
import type { Io } from '../src/io.ts';

interface Given {
  config?: object;
  server?: object;
  environment?: Record<string, string>;
}

const local = 'http://127.0.0.1:4000';

/** By default, a new sandbox on this machine. */
const factsOf = ({ config = {}, server = {}, environment = {} }: Given = {}): ServerFacts =>
  // Safe: the code reads only these parts of a server.
  ({
    config: {
      ...{
        mode: 'sandbox',
        host: '127.0.0.1',
        basePath: '/api',
        store: { kind: 'file', path: 'data/topup.db' },
      },
      ...{ apiKey: undefined, console: undefined, ...config },
    },
    server: {
      ...{ baseUrl: `${local}/api`, localUrl: local, publicUrl: local, consoleUrl: null },
      ...{ sandboxKey: 'tk_test_well_known', seeded: true, upgraded: null, ...server },
    },
    io: { environment },
    onStore: (args: string) => `topup ${args} --store file:x.db`,
  }) as unknown as ServerFacts;

const live = { config: { mode: 'live' }, server: { sandboxKey: null } };
const shown = (given?: Given): string => greeting(factsOf(given));

describe('the greeting', () => {
  it('greets for a new sandbox on this machine', () => {
    expect(shown()).toBe(`
Topup Kit is running.

  Mode      sandbox: no real money, nothing is delivered
  Base URL  http://127.0.0.1:4000/api
  Key       tk_test_well_known
  Data      ${resolve('data/topup.db')} (new)

Try it from another terminal:

  topup games list

  curl -H 'X-API-KEY: tk_test_well_known' \\
    http://127.0.0.1:4000/api/games

To simulate a fault (for one request, with the header X-Topup-Scenario):

  topup sandbox scenario

Ctrl+C stops it.
`);
  });

  it('greets for a new live server', () => {
    expect(shown(live)).toBe(`
Topup Kit is running.

  Mode      live: real money
  Base URL  http://127.0.0.1:4000/api
  Key       one of \`topup keys create\`
  Data      ${resolve('data/topup.db')} (new)

Make a key for each shop; it is shown only once:

  topup keys create --name my-shop --store file:x.db

Try it from another terminal, with TOPUP_API_KEY set to the key:

  topup games list

  curl -H "X-API-KEY: $TOPUP_API_KEY" \\
    http://127.0.0.1:4000/api/games

Ctrl+C stops it.
`);
  });

  it('mentions no first key for a live server whose store already has a key', () => {
    expect(shown({ ...live, server: { ...live.server, seeded: false } })).not.toContain('Make a key');
    expect(shown()).not.toContain('Make a key');
  });

  it('explains which key works from where if a sandbox accepts requests from other machines', () => {
    const config = { host: '0.0.0.0' };
    expect(shown({ config })).toContain(`  Base URL  http://127.0.0.1:4000/api
            from elsewhere: this machine's address instead of 127.0.0.1
  Key       tk_test_well_known
            only on this machine; in a container, only inside it
            from anywhere: one of \`topup keys create\`
`);
    expect(shown({ config })).toContain('Try it from another terminal:\n');
    expect(shown({ config: { host: '::' } })).toContain("this machine's address");
    expect(shown({ config: { host: '192.0.2.1' } })).not.toContain("this machine's address");
    const own = shown({ config: { ...config, apiKey: 'tk_test_own' } });
    expect(own).toContain('            from anywhere: the one in TOPUP_API_KEY\n');
    expect(own).toContain('Try it from another terminal, with TOPUP_API_KEY set to the key:\n');
    expect(own).toContain('curl -H "X-API-KEY: $TOPUP_API_KEY"');
    expect(own).not.toContain('tk_test_own');
    const memory = { ...config, store: { kind: 'memory' } };
    expect(shown({ config: memory })).toContain(
      '            from anywhere: none; set TOPUP_API_KEY to a key\n',
    );
  });

  it('greets for a sandbox with a public address', () => {
    const server = { publicUrl: 'http://shop.example', baseUrl: 'http://shop.example/api' };
    const text = shown({ config: { host: '0.0.0.0' }, server });
    expect(text).toContain(
      '  Base URL  http://shop.example/api\n  Key       tk_test_well_known\n            only',
    );
    const safe = { publicUrl: 'https://shop.example', baseUrl: 'https://shop.example/api' };
    expect(shown({ server: safe })).toContain('  Key       one of `topup keys create`\n  Data');
    expect(shown({ server: safe, config: { apiKey: 'x' } })).toContain(
      '  Key       the one in TOPUP_API_KEY\n',
    );
    const elsewhere = { localUrl: 'http://192.0.2.1:4000', publicUrl: 'http://192.0.2.1:4000' };
    expect(shown({ server: elsewhere })).not.toContain('tk_test_well_known');
  });

  it('uses a changed port or path in the examples', () => {
    const text = shown({ config: { basePath: '/shop api' }, server: { localUrl: 'http://127.0.0.1:4100' } });
    expect(text).toContain("  topup games list --base-url 'http://127.0.0.1:4100/shop api'\n");
    expect(text).toContain("    'http://127.0.0.1:4100/shop api/games'\n");
  });

  it('suggests npx in a project', () => {
    expect(shown({ environment: { npm_lifecycle_event: 'start' } })).toContain('  npx topup games list\n');
  });

  it("doesn't suggest npx after npx -p, because the project may lack the command", () => {
    const environment = { npm_lifecycle_event: 'npx', npm_config_package: 'node@24' };
    expect(shown({ environment })).toContain('  topup games list\n');
  });

  it('shows where the data is stored', () => {
    const inFile = shown({ server: { seeded: false } });
    expect(inFile).toContain(`  Data      ${resolve('data/topup.db')}\n`);
    expect(shown({ config: { store: { kind: 'memory' } } })).toContain(
      '  Data      in memory, lost when the server stops\n',
    );
    const store = { kind: 'postgres', url: 'postgres://shop:secret@db.internal/topup' };
    expect(shown({ config: { store } })).toContain('  Data      postgres://db.internal/topup (new)\n');
    expect(shown({ config: { store }, server: { seeded: false } })).toContain('db.internal/topup\n');
  });

  it('mentions that the store was upgraded', () => {
    const upgraded = { from: 20, to: 21, copy: 'data/topup.db.format-20' };
    expect(shown({ server: { upgraded, seeded: false } })).toContain(
      'topup.db\n            upgraded from format 20 to 21\n            before: data/topup.db.format-20\n',
    );
    const text = shown({ server: { upgraded: { ...upgraded, copy: null } } });
    expect(text).toContain('upgraded from format 20 to 21\n\n');
  });

  it('explains where to open the console, and how to log in', () => {
    const server = { consoleUrl: `${local}/console` };
    const console = {};
    const logIn = '            log in: topup console link --store file:x.db\n';
    expect(shown({ server, config: { console } })).toContain(`  Console   ${local}/console\n${logIn}`);
    expect(shown({ server })).toContain(`  Console   ${local}/console\n  Data`);
    expect(shown({ server, config: { console, store: { kind: 'memory' } } })).not.toContain('log in');
    expect(shown({ config: { console } })).not.toContain('onsole');
  });
});

describe('the document that a server prints', () => {
  it("prints the server's data for programs", () => {
    expect(serverDocument(factsOf())).toEqual({
      ...{ mode: 'sandbox', base_url: `${local}/api`, console_url: null, api_key: 'tk_test_well_known' },
      ...{ store: `file:${resolve('data/topup.db')}`, seeded: true, upgraded: null },
    });
    const upgraded = { from: 20, to: 21, copy: null };
    const store = { kind: 'postgres', url: 'postgres://shop:secret@db.internal/topup' };
    expect(serverDocument(factsOf({ config: { store }, server: { upgraded } }))).toMatchObject({
      store: 'postgres://db.internal/topup',
      upgraded: { from_format: 20, to_format: 21, kept_at: null },
    });
    expect(serverDocument(factsOf({ config: { store: { kind: 'memory' } } })).store).toBe('memory:');
  });
});

describe('a variable that is not a setting', () => {
  const lines = (environment: Record<string, string>) => ignoredVariables({ environment } as unknown as Io); // Safe: the code uses nothing else of this value.

  it('suggests a setting for an unknown variable', () => {
    expect(lines({ TOPUP_STOER: 'x', TOPUP_QWERTY: 'x' })).toEqual([
      'TOPUP_STOER is not a setting of the server. Did you mean TOPUP_STORE?',
      'TOPUP_QWERTY is not a setting of the server.',
    ]);
  });

  it('ignores empty variables, known settings, and variables of other programs', () => {
    const known = ['TOPUP_STORE', 'TOPUP_STORE_FILE', 'TOPUP_BASE_URL', 'TOPUP_PROFILE', 'TOPUP_CONFIG'];
    const all = [...known, 'TOPUP_DEBUG', 'TOPUP_OPERATOR', 'MY_TOPUP_STOER'];
    expect(lines(Object.fromEntries(all.map((name) => [name, 'x'])))).toEqual([]);
    expect(lines({ TOPUP_STOER: '' })).toEqual([]);
  });
});
