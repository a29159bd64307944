import type { AlertDescription } from '../../engine/alert-kinds.ts';
import { alertAbout } from '../../engine/alerts.ts';
import type { CallbackStore, StoredCallback } from './store.ts';
import { wrongAddress } from './unverified.ts';

const kinds = {
  'failing-callbacks': {
    sentences: ['callback', 'The last #', 'The last #'],
    indonesian: '# callback terakhir dari penyedia gagal atau ditolak',
    advice: {
      id: 'Server tetap mengetahui pembayaran dan pengiriman dengan bertanya, tetapi lebih lambat. Cari tahu mengapa callback gagal.',
      en: 'The server still learns of payments and deliveries when it asks the providers, but later. Find out why the callbacks fail.',
    },
    commands: ['callbacks list --outcome rejected', 'callbacks show <callback-id>'],
    check: 'callbacks',
    place: { all: '/events', one: '/events/callbacks/{name}' },
  },
} as const satisfies Record<string, AlertDescription>;

/**
 * Number of failed callbacks in a row that raise an alert. Callbacks that anyone can send, that the provider repeats with success, or that
 * failed over a day ago don't count.
 */
const failingRun = 3;
const failingFor = 24 * 60 * 60_000;

/** Number of newest callbacks to check. */
const maxCallbacks = 50;

const hasFailed = ({ outcome }: StoredCallback): boolean => outcome === 'failed' || outcome === 'rejected';

/** Returns each provider's failed callbacks since its last success, if there are enough of them. */
function failingCallbacks(newest: readonly StoredCallback[]) {
  const providers = [...new Set(newest.map(({ provider }) => provider))];
  const runs = providers.map((name) => {
    const received = newest.filter(({ provider }) => provider === name);
    // Callbacks from unknown addresses are rejected. If no others arrive, the list is probably wrong.
    const admitted = received.filter(({ reason }) => reason !== wrongAddress);
    const all = admitted.length > 0 ? admitted : received;
    const success = all.findIndex((callback) => !hasFailed(callback));
    return success < 0 ? all : all.slice(0, success);
  });
  const failing = runs.filter(({ length }) => length >= failingRun);
  const names = failing.flat().map(({ callbackId }) => callbackId);
  const failed = failing.flatMap(([last]) => last?.provider ?? []);
  const rest = ` of ${failed.join(' and ')} failed or were rejected`;
  return alertAbout('failing-callbacks', kinds['failing-callbacks'].sentences, names, {
    rest,
    subjects: failed,
  });
}

/** Alerts about failing or rejected callbacks of providers. */
export const callbackAlerts = {
  kinds,
  async find(store: Pick<CallbackStore, 'listCallbacks'>, { realNow }: { realNow: number }) {
    const newest = await store.listCallbacks({ limit: maxCallbacks });
    return failingCallbacks(newest.filter(({ handledAt }) => handledAt > realNow - failingFor));
  },
};
