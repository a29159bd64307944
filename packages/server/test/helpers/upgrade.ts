/** Upgrades a store in its own process: `upgrade.ts PATH` or `upgrade.ts URL`. Prints what was done, or why nothing was, as JSON. */
import { upgradeStore } from '../../src/service/open-store.ts';

const [, , store = ''] = process.argv;
const print = (value: unknown): unknown => process.stdout.write(`${JSON.stringify(value)}\n`);
try {
  print(
    await upgradeStore(
      store.startsWith('postgres:') ? { kind: 'postgres', url: store } : { kind: 'file', path: store },
    ),
  );
} catch (error) {
  const { message, problem } = error as Error & { problem?: string }; // Safe: the value is only read to be printed.
  print({ message, problem });
}
