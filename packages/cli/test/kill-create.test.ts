import { expect, it } from 'vitest';
import { killableCreate, orderIdIn } from './helpers/kill-create.ts';

const { create, onOrder, expectOneOrderEach } = killableCreate();

/** Each moment at least once; `kill-create.slow.test.ts` kills many more. */
const kills = 10;

it(`places an order once even if the command is killed ${kills} times at random and repeated`, async () => {
  await expectOneOrderEach(kills);
}, 30_000);

it('places two orders for two simultaneous commands', async () => {
  const passing = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  onOrder('2', async (pass) => {
    passing.resolve();
    await release.promise;
    return pass();
  });
  const first = create('2');
  await passing.promise;
  const second = orderIdIn((await create('2')).stdout);
  release.resolve();

  expect(second).toMatch(/^INV-/);
  expect(orderIdIn((await first).stdout)).not.toBe(second);
}, 30_000);

it('finishes an unfinished order once even if two commands run simultaneously', async () => {
  let made: string | undefined;
  await create('3', (child) =>
    onOrder('3', async (pass) => {
      made = orderIdIn(await (await pass()).text());
      child.kill('SIGKILL');
      return undefined;
    }),
  );

  const placed = (await Promise.all([create('3'), create('3')])).map(({ stdout }) => orderIdIn(stdout));

  expect(new Set(placed).size).toBe(2);
  expect(placed).toContain(made);
}, 30_000);
