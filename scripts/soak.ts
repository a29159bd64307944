/** `pnpm soak NAME`: runs a long test with a progress line. `pnpm soak --help` lists them. */
import { randomInt } from 'node:crypto';
import { Argument, Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { diskFaults } from '../soak/disk-faults/index.ts';
import { fleet } from '../soak/fleet/index.ts';
import { flood } from '../soak/flood/index.ts';
import { fuzz } from '../soak/fuzz/index.ts';
import { history, historyOnPostgres } from '../soak/history/index.ts';
import { idempotency, idempotencyOnPostgres } from '../soak/idempotency/index.ts';
import { kill } from '../soak/kill/index.ts';
import { money } from '../soak/money/index.ts';
import { overload } from '../soak/overload/index.ts';
import { powerCut } from '../soak/power-cut/index.ts';
import { promoQuota, promoQuotaOnPostgres } from '../soak/promo-quota/index.ts';
import { restoreMatrix } from '../soak/restore-matrix/index.ts';
import { shutDown } from '../soak/shut-down/index.ts';
import { simulation } from '../soak/simulation/index.ts';
import type { Soak } from '../soak/soak.ts';
import { steady } from '../soak/steady/index.ts';
import { upgrade } from '../soak/upgrade/index.ts';
import { webhooks, webhooksOnPostgres } from '../soak/webhooks/index.ts';

const soaks: Soak[] = [
  simulation,
  money,
  kill,
  powerCut,
  diskFaults,
  fuzz,
  idempotency,
  idempotencyOnPostgres,
  history,
  historyOnPostgres,
  promoQuota,
  promoQuotaOnPostgres,
  fleet,
  overload,
  flood,
  shutDown,
  restoreMatrix,
  upgrade,
  webhooks,
  webhooksOnPostgres,
  steady,
];

function show(line: string): void {
  if (process.stderr.isTTY)
    process.stderr.write(`\r\u001B[K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`);
}

/** Runs a soak. If it finds a fault, prints how to repeat it. */
async function run(soak: Soak, seed: number, count: number | undefined): Promise<void> {
  const start = Date.now();
  process.stdout.write(soak.takesSeed ? `${soak.name}, seed ${seed}\n` : `${soak.name}\n`);
  try {
    const result = await soak.run({
      seed,
      count,
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

function parseWhole(text: string): number {
  const whole = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(whole))
    throw new InvalidArgumentError('It is a whole number.');
  return whole;
}

const program = new Command('soak')
  .description('Runs a long test with a progress line.')
  .addArgument(new Argument('<name>', 'the test').choices(soaks.map(({ name }) => name)))
  .option('--seed <number>', 'the seed of an earlier run, to repeat it', parseWhole)
  .option('--count <number>', 'how much is done, where the test lets you choose', parseWhole)
  .addHelpText('after', `\nTests:\n${soaks.map(({ name, about }) => `  ${name}: ${about}\n`).join('')}`)
  .showHelpAfterError('pnpm soak --help lists the tests.')
  .parse();
const soak = soaks.find(({ name }) => name === program.processedArgs[0]);
const { seed = randomInt(1, 2 ** 31), count } = program.opts();
if (soak && count !== undefined && !soak.takesCount) program.error(`error: ${soak.name} has no --count.`);
if (soak) await run(soak, seed, count);
