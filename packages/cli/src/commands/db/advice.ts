import type { Inspection } from '@topup-kit/server';

/** A live store's server is its owner's own program: `topup serve` has no parts that move real money. */
function startServer({ mode }: Inspection, topup: (args: string) => string): string {
  if (mode === 'live') return 'start your own server on it.';
  return `start one:\n  ${topup('serve --sandbox')}`;
}

/** What to do next, each a line or two; `topup` writes a command line that works on the same store. */
export function advice(store: Inspection, topup: (args: string) => string): string[] {
  const waits = store.overdue > 0 || store.reserved > 0;
  return [
    ...(waits && !store.server
      ? [`What is overdue or reserved waits for a server: ${startServer(store, topup)}`]
      : []),
    ...(store.openReconciliations > 0
      ? [`See the payments to reconcile:\n  ${topup('orders reconcile')}`]
      : []),
    ...(store.formatVersion < store.newestFormat
      ? [
          'The next server or command that works on the store brings it to the newest format; back it up first.',
        ]
      : []),
  ];
}
