/** `pnpm soak [NAME]`: runs a long test with a progress line; without a name it lists them. */
import { money } from '../packages/server/test/soak/money/index.ts';
import type { Soak } from '../packages/server/test/soak/soak.ts';

const soaks: Soak[] = [money];

function show(line: string): void {
  if (process.stderr.isTTY)
    process.stderr.write(`\r\u001B[K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`);
}

const [, , name] = process.argv;
const soak = soaks.find((one) => one.name === name);
if (soak) {
  const start = Date.now();
  const result = await soak.run({
    progress: (share, doing) => show(`${(share * 100).toFixed(1).padStart(5)} %  ${doing}`),
  });
  show('');
  process.stdout.write(`${result} ${Math.round((Date.now() - start) / 1_000)} s.\n`);
} else {
  process.stdout.write(`pnpm soak NAME\n\n${soaks.map((one) => `${one.name}: ${one.about}\n`).join('')}`);
  if (name !== undefined) process.exitCode = 2;
}
