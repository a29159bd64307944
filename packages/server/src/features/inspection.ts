import type { EraseOrder, Merged, RoomErasure } from '@topup-kit/core/store';
import { callbackMessages } from './callbacks/messages.ts';
import { reportWebhooks, webhookMessages } from './webhooks/inspect.ts';

/** What each room says of a store. */
const reports = {
  webhooks: reportWebhooks,
};
type Report = (typeof reports)[keyof typeof reports];
type Reported = Merged<Parameters<Report>[0]>;

/** What a report of a store has of the rooms. */
export type RoomReport = Merged<Awaited<ReturnType<Report>>>;

export async function reportRooms(store: Reported): Promise<RoomReport> {
  const all: readonly ((store: Reported) => Promise<object>)[] = Object.values(reports);
  const parts = await Promise.all(all.map((report) => report(store)));
  // Safe: `Merged` says what all rooms have together.
  return Object.assign({}, ...parts) as RoomReport;
}

/** What each room received or sent of orders. */
const messages = {
  callbacks: callbackMessages,
  webhooks: webhookMessages,
};
type Source = Merged<Parameters<(typeof messages)[keyof typeof messages]['count']>[0]>;

const rooms: readonly {
  count(store: Source, orderId: string): Promise<RoomErasure>;
  findStray?(store: Source, digits: string): Promise<string[]>;
  eraseStray?(store: Source, ids: readonly string[], erasure: EraseOrder['erasure']): Promise<void>;
}[] = Object.values(messages);

/** How many messages of an order are kept. */
export async function countMessages(store: Source, orderId: string): Promise<Required<RoomErasure>> {
  const counts = await Promise.all(rooms.map((room) => room.count(store, orderId)));
  return Object.assign({ callbacks: 0, events: 0 }, ...counts);
}

/** The ids of messages of no order that have a number, given by `phoneCore`. */
export async function findStrayMessages(store: Source, digits: string): Promise<string[]> {
  return (await Promise.all(rooms.map((room) => room.findStray?.(store, digits) ?? []))).flat();
}

/** Erases what these messages say, as a part of an erasure. */
export async function eraseStrayMessages(
  store: Source,
  ids: readonly string[],
  erasure: EraseOrder['erasure'],
): Promise<void> {
  for (const room of rooms) await room.eraseStray?.(store, ids, erasure);
}
