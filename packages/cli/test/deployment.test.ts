import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alertKinds } from '@topup-kit/core/engine';
import { providerSettings, readConfig, settingDefinitions } from '@topup-kit/server/internal';
import { expect, it } from 'vitest';
import { spawnTopup } from './helpers/child.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { startSandbox } from './helpers/servers.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);
const unique = (names: readonly string[]): string[] => [...new Set(names)].sort();

/** Variables of the programs beside the server. */
const ofOthers = /^(TOPUP_UPSTREAM|POSTGRES_)/;

const alerts = read('examples/deployment/alerts.yaml');
const operation = read('docs/operation.md');

it('finds every metric of alerts.yaml and docs/operation.md in a server', async () => {
  using folder = temporaryFolder();
  await using server = await startSandbox(`file:${join(folder.path, 'topup.db')}`);
  const text = await (await fetch(`${server.publicUrl}/metrics`)).text();
  const served = unique(namesIn(text, /^# TYPE (topup_\w+) /gm));
  expect(unique(namesIn(operation, /^\| `(topup_\w+)` \|/gm))).toEqual(served);
  const used = unique(namesIn(alerts, /\b(topup_\w+?)(?:_bucket|_count|_sum)?\b[[{ ]/g));
  expect(used.length).toBeGreaterThan(4);
  expect(served).toEqual(expect.arrayContaining(used));
});

it('explains each alert of alerts.yaml in docs/operation.md unless the runbook explains it', () => {
  const explained = namesIn(operation, /^\| `(Topup\w+)` \|/gm);
  const [, ...rules] = alerts.split('- alert: ');
  const ofServer = rules.filter((rule) => !rule.includes('topup_alerts{'));
  expect(explained).toEqual(ofServer.map((rule) => /^\w+/.exec(rule)?.[0]));
});

it('gives every alert a severity, a summary and an existing runbook', () => {
  const [, ...rules] = alerts.split('- alert: ');
  for (const rule of rules) {
    expect(rule).toMatch(/ severity: (critical|warning) [\s\S]* summary: \S/);
    const [, file = '', heading = ''] = / runbook: (docs\/[\w-]+\.md)#([\w-]+)\n/.exec(rule) ?? [];
    const headings = namesIn(read(file), /^#+ (.+)$/gm);
    expect(headings.map((text) => text.toLowerCase().replaceAll(' ', '-'))).toContain(heading);
  }
});

it.each(alertKinds)(
  "has one rule for the server's alert %s, which links to a section of the runbook",
  (kind) => {
    const [, ...rules] = alerts.split('- alert: ');
    const ofKind = rules.filter((rule) => rule.includes('topup_alerts{') && rule.includes(`"${kind}"`));
    expect(ofKind).toHaveLength(1);
    const [rule = ''] = ofKind;
    // Each server of a store tells the same.
    expect(rule).toContain(`expr: max(topup_alerts{alert="${kind}"}) > 0\n`);
    expect(rule).toContain(`runbook: docs/runbook.md#${kind}\n`);
  },
);

it('lets systemd restart a server, but not after a wrong setting', async () => {
  const [starts = '', service = ''] = read('examples/deployment/topup.service').split('[Service]');
  expect(starts).toContain('\nStartLimitIntervalSec=0\n');
  const [, code] = /^RestartPreventExitStatus=(\d+)$/m.exec(service) ?? [];
  await using server = spawnTopup(['serve'], [], { TOPUP_TRUSTED_PROXIES: 'wrong' });
  expect(await server.ended).toEqual({ code: Number(code), signal: null });
});

it('uses the same address in the systemd socket and in the proxies', () => {
  const [, address = ''] = /^ListenStream=(\S+)$/m.exec(read('examples/deployment/topup.socket')) ?? [];
  expect(address).toBe(`${readConfig().host}:${readConfig().port}`);
  expect(read('examples/deployment/nginx.conf')).toContain(`server ${address};`);
  expect(read('examples/deployment/Caddyfile')).toContain(address);
  // Else a request would start a server that an operator has stopped with its socket.
  expect(read('examples/deployment/topup.service')).toContain('\nRequires=topup.socket\n');
});

it('uses only existing settings and the same secrets in all files of examples/deployment', () => {
  const all = [...Object.values(settingDefinitions), ...Object.values(providerSettings).flat()];
  const known = new Set(
    all.flatMap(({ name, ...setting }) =>
      ('secret' in setting && setting.secret) || 'holdsPassword' in setting ? [name, `${name}_FILE`] : [name],
    ),
  );
  const unit = namesIn(read('examples/deployment/topup.service'), /^Environment=(\w+)=/gm);
  const composed = (file: string): string[] =>
    namesIn(read(`examples/deployment/${file}`), /^ {4,6}([A-Z]+_\w+):/gm).filter(
      (name) => !ofOthers.test(name),
    );
  const compose = composed('compose.yaml');
  const fleet = composed('fleet/compose.yaml');
  const given = [
    ...namesIn(read('examples/deployment/shop.env'), /^(\w+)=/gm),
    ...unit,
    ...compose,
    ...fleet,
  ];
  expect(given.filter((name) => !known.has(name))).toEqual([]);
  const secrets = (names: string[]): string[] => names.filter((name) => name.endsWith('_FILE'));
  expect(secrets(compose)).toEqual(unit);
  expect(secrets(fleet)).toEqual(['TOPUP_STORE_FILE', ...unit]);
});

it('differs between the nginx.conf files for one server and for two only in servers, log and connection timeout', () => {
  const directives = (file: string): string[] =>
    namesIn(read(`examples/deployment/${file}`), /^ *([^\s#].*)$/gm).map((line) =>
      line
        .replace('/var/log/nginx/topup.log', '/dev/stdout')
        .replace('/var/log/nginx/error.log', '/dev/stderr')
        .replace('proxy_connect_timeout 5s;', 'proxy_connect_timeout 1s;'),
    );
  const isOfServers = (line: string): boolean => /^(server [\d.]+:4000|listen \[::\]:)/.test(line);
  const same = (file: string): string[] => directives(file).filter((line) => !isOfServers(line));
  expect(same('fleet/nginx.conf')).toEqual(same('nginx.conf'));
  const servers = directives('fleet/nginx.conf').filter(isOfServers);
  const addresses = namesIn(
    read('examples/deployment/fleet/compose.yaml'),
    /^ {2}topup-\d:\n.*\n.* shop: \{ ipv4_address: ([\d.]+) \}/gm,
  );
  expect(servers).toEqual(addresses.map((address) => `server ${address}:4000 max_fails=0;`));
});

it('docs/threat-model.md names only existing tests', () => {
  const named = [...read('docs/threat-model.md').matchAll(/`([\w./-]+\.test\.ts)`(?:: "([^"]+)")?/g)];
  expect(named.length).toBeGreaterThan(30);
  const missing = named.filter(
    ([, file = '', name = '']) => !existsSync(join(root, file)) || !read(file).includes(name),
  );
  expect(missing.map(([text]) => text)).toEqual([]);
});
