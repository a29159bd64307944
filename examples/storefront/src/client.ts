import { createTopupClient } from '@topup-kit/sdk';
import { createSignal } from './signal.ts';

const reachable = createSignal(true);

/** Called with each answer, and with each request that got none. */
const noteReach = reachable.set;

/** Whether the last request got an answer. */
export const useReach = reachable.use;

const createClient = (idempotency: 'supported' | 'detect') =>
  createTopupClient({
    baseUrl: '/api/topup',
    idempotency,
    // A visitor waits no longer than this for a page.
    totalTimeout: 20_000,
    async fetch(request) {
      try {
        const answer = await fetch(request);
        noteReach(true);
        return answer;
      } catch (error) {
        if (!request.signal.aborted) noteReach(false);
        throw error;
      }
    },
  });

/** The same client for both backends; it holds no key. */
export let client = createClient(import.meta.env.VITE_TOPUP_IDEMPOTENCY);

/** For a service that may take an order that is sent twice for two, whatever its key. */
export function trustNoKeys(): void {
  client = createClient('detect');
}
