import type { EraseOrder, Merged, RoomErasure } from '@topup-kit/core/store';
import { callbackMessages } from './callbacks/messages.ts';
import { reportWebhooks, webhookMessages } from './webhooks/inspect.ts';

/** Report that each room makes of a store. */
const reports = {
  webhooks: reportWebhooks,
};
type Report = (typeof reports)[keyof typeof reports];
type Reported = Merged<Parameters<Report>[0]>;

/** Rooms' part of the report of a store. */
export type RoomReport = Merged<Awaited<ReturnType<Report>>>;

export async function reportRooms(store: Reported): Promise<RoomReport> {
  const all: readonly ((store: Reported) => Promise<object>)[] = Object.values(reports);
  const parts = await Promise.all(all.map((report) => report(store)));
  // Safe: `Merged` is the type of all rooms' parts together.
  return Object.assign({}, ...parts) as RoomReport;
}

/** Messages about orders that each room stores. */
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

/** Counts the stored messages of an order. */
export async function countMessages(store: Source, orderId: string): Promise<Required<RoomErasure>> {
  const counts = await Promise.all(rooms.map((room) => room.count(store, orderId)));
  return Object.assign({ callbacks: 0, events: 0 }, ...counts);
}

/** Finds messages without an order that contain a phone number in the form of `phoneCore`. */
export async function findStrayMessages(store: Source, digits: string): Promise<string[]> {
  return (await Promise.all(rooms.map((room) => room.findStray?.(store, digits) ?? []))).flat();
}

/** Erases the content of these messages, as part of an erasure. */
export async function eraseStrayMessages(
  store: Source,
  ids: readonly string[],
  erasure: EraseOrder['erasure'],
): Promise<void> {
  for (const room of rooms) await room.eraseStray?.(store, ids, erasure);
}
