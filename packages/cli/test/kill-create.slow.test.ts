import { it } from 'vitest';
import { killableCreate } from './helpers/kill-create.ts';

const { expectOneOrderEach } = killableCreate();
const kills = 40;

it(`an order whose command is killed ${kills} times, anywhere, is made once when the command is run again`, async () => {
  await expectOneOrderEach(kills);
}, 180_000);
