import assert from 'node:assert/strict';
import { lastLine, newOrder, type Sandbox, start, startSandbox } from '../helpers.ts';

/** Runs the program while something happens to its order. */
async function follow(folder: string, happen: (sandbox: Sandbox, orderId: string) => Promise<unknown>) {
  await using sandbox = await startSandbox();
  const program = start(folder, ['node', 'order.mjs'], sandbox.env);
  const limit = setTimeout(() => program.kill(), 60_000);
  const { order_id } = await newOrder(sandbox);
  await happen(sandbox, order_id);
  const code = await program.ended;
  clearTimeout(limit);
  assert.equal((await sandbox.orders()).length, 1, 'it placed more than one order');
  assert.match(program.output(), /^http:\/\/127\.0\.0\.1:\d+\/pay\/\S+$/m, 'it printed no address to pay at');
  return { code, last: lastLine(program.output()) };
}

export async function judge(folder: string): Promise<void> {
  const delivered = await follow(folder, (sandbox, id) => sandbox.control(`orders/${id}/pay`));
  assert.deepEqual(delivered, { code: 0, last: 'delivered' });

  const failed = await follow(folder, async (sandbox, id) => {
    await sandbox.control('scenario', { name: 'supplier-fails' });
    await sandbox.control(`orders/${id}/pay`);
  });
  assert.notEqual(failed.code, 0, 'a failed delivery counts as a success');
  assert.equal(failed.last, 'not delivered');

  const expired = await follow(folder, (sandbox, id) => sandbox.control(`orders/${id}/expire`));
  assert.notEqual(expired.code, 0, 'an expired order counts as a success');
  assert.equal(expired.last, 'not delivered');
}
