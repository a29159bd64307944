import type { CreatedOrder } from '@topup-kit/sdk';
import type { CommandContext } from '../../context.ts';
import { exitCodes, Problem } from '../../errors/cli-error.ts';
import { hashKey } from '../../orders-state/begun-order.ts';
import { type OrderNote, type OrderNotes, openOrderNotes } from '../../orders-state/order-notes.ts';
import { chooseWay } from './choose-way.ts';
import type { Made, Placing } from './placing.ts';
import { outcomeUnknown } from './unfinished-problems.ts';

/** Sends an order that was just noted. Its note goes once its end is told, and stays where nobody knows it. */
async function sendNew({ order, forget }: OrderNote, { service, tell }: Placing): Promise<Made> {
  const { request, idempotency_key: idempotencyKey } = order;
  let answer: CreatedOrder;
  try {
    answer = await service.ask(
      (client, options) => client.orders.create(request, { ...options, idempotencyKey }),
      request,
    );
  } catch (error) {
    // Of a fault of our own nobody knows when it came.
    if (!(error instanceof Problem)) throw error;
    if (error.details.exitCode === exitCodes.unknownOutcome) throw outcomeUnknown(error);
    forget();
    throw error;
  }
  const made = await tell(answer);
  forget();
  return made;
}

/**
 * Places an order in a way that a kill at any moment makes no second one of: it is noted before it is sent, and the
 * same command finishes what an earlier run of it began. Resolves once the order was told.
 */
export async function placeOrder(placing: Placing, context: CommandContext): Promise<Made> {
  const { service, request, another } = placing;
  const { baseUrl, apiKey } = service.connection;
  const identity = { base_url: baseUrl, api_key_hash: hashKey(apiKey), request };
  const notes: OrderNotes = openOrderNotes(context.io);
  // Whoever asks for another order knows of the unfinished ones.
  if (another) return sendNew(notes.beginAnother(identity), placing);
  for (;;) {
    const [oldest] = notes.unfinished(identity);
    if (!oldest) return sendNew(notes.begin(identity), placing);
    const way = await chooseWay(oldest.order, identity.api_key_hash, context);
    if (way === 'another') return sendNew(notes.beginAnother(identity), placing);
    const note = oldest.claim();
    // Another process was faster: what it finishes is none of ours any more.
    if (!note) continue;
    const { finishOrder } = await import('./finish-order.ts');
    return finishOrder(note, placing);
  }
}
