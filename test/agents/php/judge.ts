import assert from 'node:assert/strict';
import { findUnderUsr, isOnPath, phpFile } from '../../languages/installed.ts';
import { judgeRetries, newCart, run, startSandbox } from '../helpers.ts';

/** PHP with curl: the machine's, or the one that `.ci/languages` fetched. */
function findPhp(): string[] | undefined {
  if (isOnPath('php')) return ['php'];
  const [php, curl] = [findUnderUsr(phpFile), findUnderUsr('lib/php/*/curl.so')];
  return php && curl ? [php, '-n', '-d', `extension=${curl}`] : undefined;
}

export const php = findPhp();

export async function judge(folder: string): Promise<void> {
  if (!php) throw new Error('There is no PHP with curl: eval "$(.ci/languages FOLDER)"');
  const command = (...args: string[]) => [...php, 'shop.php', ...args];
  await judgeRetries(folder, (cart) => command('place', cart));

  await using sandbox = await startSandbox();
  const status = async (orderId: string) =>
    (await run(folder, command('status', orderId), sandbox.env)).stdout.trim();
  const place = async () =>
    (await run(folder, command('place', newCart()), sandbox.env)).stdout.trim().split('\n').at(-1) ?? '';
  const first = await place();
  assert.equal(await status(first), 'waiting');
  await sandbox.control('scenario', { name: 'supplier-down' });
  await sandbox.control(`orders/${first}/pay`);
  assert.equal(await status(first), 'waiting', 'paid, but not delivered');
  await sandbox.control('scenario', { name: 'none' });
  await sandbox.control(`orders/${first}/deliver`);
  assert.equal(await status(first), 'delivered');
  const second = await place();
  await sandbox.control(`orders/${second}/expire`);
  assert.equal(await status(second), 'failed');
}
