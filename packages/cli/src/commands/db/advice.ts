import type { Inspection } from '@topup-kit/server';

/** What to do next, each a line; `topup` writes a command line that works on the same store. */
export function advice(store: Inspection, topup: (args: string) => string): string[] {
  const serve = store.mode === 'sandbox' ? 'serve --sandbox' : 'serve';
  const waits = store.overdue > 0 || store.reserved > 0;
  return [
    ...(waits && !store.server ? [`What is overdue or reserved waits for a server: ${topup(serve)}`] : []),
    ...(store.openReconciliations > 0 ? [`See the payments to reconcile: ${topup('orders reconcile')}`] : []),
    ...(store.formatVersion < store.newestFormat
      ? [
          'The next server or command that works on the store brings it to the newest format; back it up first.',
        ]
      : []),
  ];
}
