import { isTopupError, type OrderRequest } from '@topup-kit/sdk/light';
import { Problem } from '../../errors/cli-error.ts';
import type { BegunOrder } from '../../orders-state/begun-order.ts';
import type { OrderNote } from '../../orders-state/order-notes.ts';
import type { Made, Placing } from './placing.ts';
import { lookFirst, outcomeUnknown, refusedNow } from './unfinished-problems.ts';

/** Milliseconds for a question that is answered without making anything. */
const timeout = 10_000;

const statusOf = ({ details: { cause } }: Problem): number | undefined =>
  isTopupError(cause) && cause.name === 'TopupHttpError' ? cause.status : undefined;

/**
 * Whether the service honours keys, learned from an order that can never be made: one that lacks all that an order
 * takes. Anything but a refusal of it tells nothing.
 */
async function honoursKeys({ service, keyWatch }: Placing): Promise<boolean> {
  // safe: an order that no service can make is what this is for
  const impossible = {} as OrderRequest;
  keyWatch.reset();
  try {
    await service.ask((client, options) => client.orders.create(impossible, { ...options, timeout }));
    return false;
  } catch (error) {
    if (error instanceof Problem && statusOf(error) === 422) return keyWatch.carriedBack();
    throw error;
  }
}

/** Nothing that goes wrong now tells whether an earlier attempt made the order. */
function stillUnknown(error: unknown, order: BegunOrder): unknown {
  if (!(error instanceof Problem)) return error;
  return [404, 422].includes(statusOf(error) ?? 0) ? refusedNow(error, order) : outcomeUnknown(error);
}

/** Finishes an order that an earlier run began: the same request with the same key, where keys are honoured. */
export async function finishOrder({ order, forget }: OrderNote, placing: Placing): Promise<Made> {
  const { service, keyWatch, tell } = placing;
  const { request, idempotency_key: idempotencyKey, base_url } = order;
  const areHonoured = await honoursKeys(placing).catch((error: unknown) => {
    throw error instanceof Problem ? outcomeUnknown(error) : error;
  });
  if (!areHonoured)
    throw lookFirst(
      `This order was begun and not finished, and ${base_url} does not show that it honours idempotency keys: sent again, the order might be made twice.`,
      order,
    );
  keyWatch.reset();
  const answer = await service
    .ask((client, options) => client.orders.create(request, { ...options, idempotencyKey }), request)
    .catch((error: unknown) => {
      throw stillUnknown(error, order);
    });
  const made = await tell(answer);
  forget();
  return made;
}
