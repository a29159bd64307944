import { it } from 'vitest';
import { killableCreate } from './helpers/kill-create.ts';

const { expectOneOrderEach } = killableCreate();
const kills = 40;

it(`places an order once even if the command is killed ${kills} times at random and repeated`, async () => {
  await expectOneOrderEach(kills);
}, 180_000);
