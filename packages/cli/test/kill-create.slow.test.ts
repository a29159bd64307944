import { it } from 'vitest';
import { killableCreate } from './helpers/kill-create.ts';

const { expectOneOrderEach } = killableCreate();
const kills = 40;

it(`places an order once even if its command is killed ${kills} times at any time and run again`, async () => {
  await expectOneOrderEach(kills);
}, 180_000);
