import type { Merged } from '@topup-kit/core/store';
import { inspectWebhooks } from './webhooks/inspect.ts';

/** What each room says of a store. */
const rooms = {
  webhooks: inspectWebhooks,
};
type Room = (typeof rooms)[keyof typeof rooms];
type Source = Merged<Parameters<Room['report']>[0]>;

const all: readonly {
  report(store: Source): Promise<object>;
  countEvents(store: Source, orderId: string): Promise<number>;
}[] = Object.values(rooms);

/** What a report of a store has of the rooms. */
export type RoomReport = Merged<Awaited<ReturnType<Room['report']>>>;

export async function reportRooms(store: Source): Promise<RoomReport> {
  const parts = await Promise.all(all.map(({ report }) => report(store)));
  // Safe: `Merged` says what all rooms have together.
  return Object.assign({}, ...parts) as RoomReport;
}

/** How many events of an order are kept. */
export async function countEvents(store: Source, orderId: string): Promise<number> {
  const counts = await Promise.all(all.map((room) => room.countEvents(store, orderId)));
  return counts.reduce((sum, count) => sum + count, 0);
}
