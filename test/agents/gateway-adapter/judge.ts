import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { run } from '../helpers.ts';

const harness = fileURLToPath(new URL('../harness/gateway.ts', import.meta.url));

export async function judge(folder: string): Promise<void> {
  const command = ['node', '--conditions=@topup-kit/source', '--test', '--test-reporter=tap', harness];
  const { code, stdout, stderr } = await run(folder, command, { SOLUTION: folder });
  const failed = stdout.split('\n').filter((line) => /^\s*(not ok|error:)/.test(line));
  assert.equal(code, 0, `${failed.join('\n')}${stderr}`);
  assert.match(stdout, /^# pass [1-9]\d/m, 'too few cases ran');
}
