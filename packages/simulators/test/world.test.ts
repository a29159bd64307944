import { expect, it } from 'vitest';
import { createWorld } from '../src/world.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it('runs tasks that are added during a move at their own time, whoever started the move', async () => {
  const world = createWorld(() => 0);
  const ran: [string, number][] = [];
  /** Takes real time, as a request does, and is repeated after 1,000 ms. */
  const task = (name: string, ms: number) => async () => {
    await pause(ms);
    ran.push([name, world.now()]);
    world.at(world.now() + 1000, () => void ran.push([`${name} again`, world.now()]));
  };
  world.at(0, task('short', 5));
  world.at(0, task('long', 30));
  world.at(500, task('later', 30));
  await world.advance(3000);

  expect(Object.fromEntries(ran)).toEqual({
    ...{ long: 0, 'long again': 1000, short: 0, 'short again': 1000, later: 500, 'later again': 1500 },
  });
  expect(world.now()).toBe(3000);
  world.close();
});
