import {
  createTopupClient,
  type Fetch,
  isTopupError,
  type TopupClientOptions,
  verifyWebhook,
} from '@topup-kit/sdk';
import { orderRequest, webhookSecret } from './prelude.ts';

const clientOf = (fetch: Fetch, options: Partial<TopupClientOptions> = {}) =>
  createTopupClient({ baseUrl: 'http://shop.test/api', fetch, maxRetries: 0, ...options });

async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('an error was expected');
}

const stalled: Fetch = () => new Promise(() => {});
const broken: Fetch = async () => Response.json({}, { status: 500 });
const rejecting =
  (code: string): Fetch =>
  async () =>
    Response.json({ success: false, message: 'Ditolak.', error_code: code }, { status: 422 });
const invalid = {
  success: false,
  message: 'The whatsapp field is required.',
  errors: { whatsapp: ['Required.'] },
};

/** One error of every kind, and one for every other code in the examples. */
export async function createErrors(namedCodes: string[]): Promise<unknown[]> {
  const kinds = await Promise.all(
    [
      () => createTopupClient({ baseUrl: 'shop.example' }),
      () => clientOf(async () => Response.json(invalid, { status: 422 })).orders.create(orderRequest),
      () => clientOf(async () => new Response('<p>')).games.list(),
      () => clientOf(async () => Response.json({ success: true }), { validation: 'strict' }).games.list(),
      () => clientOf(async () => Promise.reject(new TypeError('fetch failed'))).games.list(),
      () => clientOf(stalled, { timeout: 1 }).games.list(),
      () => clientOf(stalled).games.list({ signal: AbortSignal.abort() }),
      () => clientOf(broken).orders.create(orderRequest),
      () => clientOf(broken, { idempotency: 'supported' }).orders.create(orderRequest),
      () => verifyWebhook('', {}, webhookSecret),
      () => clientOf(stalled).orders.waitFor('INV-20260329093000-ABCDEFGH', { timeout: 1 }),
    ].map(thrownBy),
  );
  const others = namedCodes.filter(
    (code) => !kinds.some((error) => isTopupError(error) && error.code === code),
  );
  const rejected = others.map((code) =>
    thrownBy(() => clientOf(rejecting(code)).orders.create(orderRequest)),
  );
  return [...kinds, ...(await Promise.all(rejected))];
}
