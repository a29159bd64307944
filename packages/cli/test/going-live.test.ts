import { readFileSync } from 'node:fs';
import { type AlertKind, readCatalogFile } from '@topup-kit/core/engine';
import { providerSettings, variables } from '@topup-kit/server';
import { expect, it } from 'vitest';
import { page, rehearse, tripayAndDigiflazz } from './helpers/rehearse-going-live.ts';

// going-live.slow.test.ts has the other providers.
it(
  'the rehearsal of docs/going-live.md works, command by command: Tripay and Digiflazz',
  {
    timeout: 120_000,
  },
  () => rehearse(tripayAndDigiflazz),
);

it('the catalogue of docs/going-live.md is valid', () => {
  const [, json = ''] = /cat > shop\.json <<'END'\n([\s\S]*?)\nEND\n/.exec(page) ?? [];
  expect(readCatalogFile(JSON.parse(json))).toHaveProperty('catalog');
});

it('docs/going-live.md lists the settings of all providers', () => {
  const rows = [...page.matchAll(/^\| `([A-Z]+_[A-Z_]+)` \| (.*) \| (.*) \|$/gm)].map(
    ([, ...cells]) => cells,
  );
  const expected = Object.values(providerSettings).flatMap((settings) =>
    settings.map(({ name, purpose, default: value }) => [
      name,
      purpose,
      value === null ? 'required' : 'text' in value ? `\`${value.text}\`` : value.description,
    ]),
  );
  expect(rows).toEqual(expected);
});

it('docs/settings.md lists the settings of the server', () => {
  const settings = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8');
  const rows = [...settings.matchAll(/^\| `([A-Z_]+)` \| .*\|$/gm)].map(([, name]) => name);
  expect(new Set(rows)).toEqual(new Set(Object.values(variables).map(({ name }) => name)));
});

it('docs/going-live.md has a section for each alert', () => {
  const kinds: Record<AlertKind, true> = {
    'stuck-orders': true,
    'failed-deliveries': true,
    contradictions: true,
    'money-without-an-order': true,
    'refunded-payments': true,
    'unclear-payments': true,
    'low-balance': true,
    'rejected-requests': true,
    'failing-callbacks': true,
  };
  const [, runbook = ''] = page.split('\n## Runbook\n');
  const anchors = [...runbook.matchAll(/^### (.*)$/gm)].map(([, title = '']) =>
    title.toLowerCase().replaceAll(' ', '-'),
  );
  expect(anchors).toEqual(Object.keys(kinds));
});
