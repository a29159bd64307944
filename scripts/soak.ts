/** `pnpm soak [NAME] [--seed NUMBER]`: runs a long test with a progress line; without a name it lists them. */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { diskFaults } from '../packages/server/test/soak/disk-faults/index.ts';
import { fleet } from '../packages/server/test/soak/fleet/index.ts';
import { fuzz } from '../packages/server/test/soak/fuzz/index.ts';
import { idempotency, idempotencyOnPostgres } from '../packages/server/test/soak/idempotency/index.ts';
import { kill } from '../packages/server/test/soak/kill/index.ts';
import { money } from '../packages/server/test/soak/money/index.ts';
import { overload } from '../packages/server/test/soak/overload/index.ts';
import { powerCut } from '../packages/server/test/soak/power-cut/index.ts';
import { promoQuota, promoQuotaOnPostgres } from '../packages/server/test/soak/promo-quota/index.ts';
import { shutDown } from '../packages/server/test/soak/shut-down/index.ts';
import { simulation } from '../packages/server/test/soak/simulation/index.ts';
import type { Soak } from '../packages/server/test/soak/soak.ts';
import { steady } from '../packages/server/test/soak/steady/index.ts';
import { teeth } from '../packages/server/test/soak/teeth/index.ts';

const soaks: Soak[] = [
  simulation,
  money,
  kill,
  powerCut,
  diskFaults,
  fuzz,
  idempotency,
  idempotencyOnPostgres,
  promoQuota,
  promoQuotaOnPostgres,
  fleet,
  overload,
  shutDown,
  steady,
  teeth,
];

function show(line: string): void {
  if (process.stderr.isTTY)
    process.stderr.write(`\r\u001B[K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`);
}

const usage = (): string =>
  `pnpm soak NAME [--seed NUMBER]\n\n${soaks.map((one) => `${one.name}: ${one.about}\n`).join('')}`;

/** Runs a soak, and says how to repeat it when it finds a fault. */
async function run(soak: Soak, seed: number): Promise<void> {
  const start = Date.now();
  process.stdout.write(soak.takesSeed ? `${soak.name}, seed ${seed}\n` : `${soak.name}\n`);
  try {
    const result = await soak.run({
      seed,
      progress: (share, doing) => show(`${(share * 100).toFixed(1).padStart(5)} %  ${doing}`),
    });
    show('');
    process.stdout.write(`${result} ${Math.round((Date.now() - start) / 1_000)} s.\n`);
  } catch (error) {
    show('');
    process.stderr.write(`To repeat it: pnpm soak ${soak.name}${soak.takesSeed ? ` --seed ${seed}` : ''}\n`);
    throw error;
  }
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } });
const [name] = positionals;
const seed = values.seed === undefined ? randomInt(1, 2 ** 31) : Number(values.seed);
const soak = soaks.find((one) => one.name === name);
if (soak && Number.isSafeInteger(seed)) {
  await run(soak, seed);
} else {
  process.stdout.write(usage());
  if (name !== undefined) process.exitCode = 2;
}
