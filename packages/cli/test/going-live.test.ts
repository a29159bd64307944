import { readFileSync } from 'node:fs';
import { type AlertKind, alertDescriptions, alertKinds, readCatalogFile } from '@topup-kit/core/engine';
import { providerSettings, settingDefinitions } from '@topup-kit/server/internal';
import { expect, it } from 'vitest';
import { page, rehearse, tripayAndDigiflazz } from './helpers/rehearse-going-live.ts';

// going-live.slow.test.ts has the other providers.
it(
  'completes the rehearsal of docs/going-live.md: Tripay and Digiflazz',
  {
    timeout: 120_000,
  },
  () => rehearse(tripayAndDigiflazz),
);

it('docs/going-live.md contains a valid catalogue', () => {
  const [, json = ''] = /cat > shop\.json <<'END'\n([\s\S]*?)\nEND\n/.exec(page) ?? [];
  expect(readCatalogFile(JSON.parse(json))).toHaveProperty('catalog');
});

const settings = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8');
const [ofServer = '', ofProviders = ''] = settings.split('\n## Gateways and suppliers\n');

it('docs/settings.md lists the settings of all providers, and docs/secrets.md their previous secrets', () => {
  const secrets = readFileSync(new URL('../../../docs/secrets.md', import.meta.url), 'utf8');
  const all = Object.values(providerSettings).flat();
  const previous = all.filter(({ name }) => name.endsWith('_PREVIOUS'));
  for (const { name } of previous) expect(secrets).toContain(`\`${name}\``);
  const rows = [...ofProviders.matchAll(/^\| `([A-Z]+_[A-Z_]+)` \| (.*) \| (.*) \|$/gm)].map(
    ([, ...cells]) => cells,
  );
  const expected = all
    .filter((setting) => !previous.includes(setting))
    .map(({ name, purpose, default: value }) => [
      name,
      purpose,
      value === null ? 'required' : 'text' in value ? `\`${value.text}\`` : value.description,
    ]);
  expect(rows).toEqual(expected);
});

it('docs/settings.md lists the settings of the server', () => {
  const rows = [...ofServer.matchAll(/^\| `([A-Z_]+)` \| .*\|$/gm)].map(([, name]) => name);
  expect(new Set(rows)).toEqual(new Set(Object.values(settingDefinitions).map(({ name }) => name)));
});

const runbook = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');

/** The alerts of the runbook by their anchors, each as one line. */
const sections = new Map(
  (runbook.split('\n## Alerts\n')[1] ?? '')
    .split(/^## /m)[0]
    ?.split(/^### /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      return [title.toLowerCase().replaceAll(' ', '-'), lines.join(' ').replaceAll(/\s+/g, ' ')];
    }),
);

it('docs/runbook.md contains a section for each alert', () => {
  expect([...sections.keys()]).toEqual(alertKinds);
});

it.each(alertKinds)(
  'gives the same advice about %s in the runbook and in doctor, with the same commands',
  (kind) => {
    const {
      advice: { en: text },
      commands,
    } = alertDescriptions[kind];
    const section = sections.get(kind) ?? '';
    expect(section).toContain(`**In short:** ${text}`);
    let rest = section;
    for (const command of commands) {
      // A shell needs the quotes, a reader doesn't.
      const shown = `\`topup ${command.replaceAll("'", '')}\``;
      expect(rest).toContain(shown);
      rest = rest.slice(rest.indexOf(shown));
    }
  },
);

it('suggests only a retry for an order that waits for the balance, and only a mark for an order with contradictory reports', () => {
  const changes = (kind: AlertKind) =>
    `${alertDescriptions[kind].commands.join(' ')} ${sections.get(kind)}`.match(
      /orders (mark|retry|refund|abandon)\b/g,
    ) ?? [];
  expect(new Set(changes('waiting-for-balance'))).toEqual(new Set(['orders retry']));
  expect(changes('low-balance')).toEqual([]);
  expect(new Set(changes('contradictions'))).toEqual(new Set(['orders mark']));
});
