import { readFileSync } from 'node:fs';
import { alertKinds } from '@topup-kit/core/engine';
import { expect, it } from 'vitest';
import { run } from './helpers/run.ts';

const page = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');

it.each(alertKinds)('prints the section about %s in the runbook', async (kind) => {
  const { code, stdout } = await run(['runbook', kind, '--json']);
  const { alert, text } = JSON.parse(stdout);
  expect({ code, alert }).toEqual({ code: 0, alert: kind });
  expect(text).toMatch(/^### .+\n\n/);
  expect(page).toContain(text);
});

it('prints a section for a terminal without links and markup', async () => {
  const { stdout } = await run(['runbook', 'unpaid-refunds'], { columns: 200 });
  expect(stdout).toMatch(/^Unpaid refunds\n\n/);
  expect(stdout).not.toMatch(/\]\(|\*\*/);
});

it('lists the alerts with their advice', async () => {
  expect((await run(['runbook', '--quiet'])).stdout.trim().split('\n')).toEqual([...alertKinds]);
  expect((await run(['runbook'], { columns: 200 })).stdout).toContain('Deposit money at the supplier.');
});

it('rejects an alert that does not exist', async () => {
  expect(await run(['runbook', 'chess'])).toEqual({
    code: 3,
    stdout: '',
    stderr: 'Error: There is no alert chess.\nThis lists them:\n  topup runbook\n',
  });
});
