import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMockService } from '@topup-kit/mock';
import { expect, it } from 'vitest';
import { temporaryFolder } from './helpers/folder.ts';
import { ownSandbox } from './helpers/servers.ts';

const server = ownSandbox();
const page = await readFile(new URL('../../../docs/sandbox-files.md', import.meta.url), 'utf8');
const [, example = ''] = /```json\n([^`]+"steps"[^`]+)```/.exec(page) ?? [];

async function playFile(content: string, ...flags: string[]) {
  using folder = temporaryFolder();
  const file = join(folder.path, 'checkout.json');
  await writeFile(file, content);
  const { code, stdout, stderr } = await server.asked('sandbox', 'play', file, ...flags);
  return { code, stdout, stderr: stderr.replaceAll(`${folder.path}/`, '').replace(/\s+/g, ' ') };
}

it("plays the guide's file with the command, over HTTP and in the mock", async () => {
  const { code, stdout } = await playFile(example, '--json');
  const orderId = expect.stringMatching(/^INV-/);
  const played = { steps: 11, names: { closed: expect.any(Number), first: orderId, second: orderId } };
  expect([code, JSON.parse(stdout)]).toEqual([0, played]);
  const response = await fetch(`${server.baseUrl.replace(/\/api$/, '')}/sandbox/play`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: example,
  });
  expect((await response.json()).data).toEqual(played);
  expect(await createMockService().play(example)).toEqual(played);
});

it('reports the file and the failed step, with the expected and the actual value', async () => {
  const tooEarly = example.replace('"by": "2s"', '"by": "1s"');
  const { code, stderr } = await playFile(tooEarly);
  expect(code).toBe(1);
  const words = 'checkout.json: Step 7 (expect-order): state should be PAID / Sukses, but is PAID / Proses.';
  expect(stderr).toContain(words);
  expect(page).toContain(`Error: ${words}`);
  await expect(createMockService().play(tooEarly)).rejects.toThrow(words.slice('checkout.json: '.length));
});

it.each([
  ['\ufeff{"steps": [{"do": "buy"}]}', 'checkout.json: Step 1 (buy): Unknown step.'],
  ['{"steps": [{"do": "pay"}]}', 'checkout.json: Step 1 (pay): The order field is required.'],
])('rejects the file %j before it runs any step', async (content, words) => {
  const { code, stderr } = await playFile(content);
  expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
});

it('reports a missing file of steps', async () => {
  const { code, stderr } = await server.asked('sandbox', 'play', 'no-such-file.json');
  expect([code, stderr]).toEqual([3, expect.stringContaining("no-such-file.json can't be read")]);
});
