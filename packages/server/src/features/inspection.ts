import type { Merged } from '@topup-kit/core/store';
import { inspectWebhooks } from './webhooks/inspect.ts';

/** What each room says of a store. */
const rooms = {
  webhooks: inspectWebhooks,
};
type Room = (typeof rooms)[keyof typeof rooms];
type Source = Merged<Parameters<Room['report']>[0]> & Merged<Parameters<Room['names']>[0]>;

const all: readonly {
  report(store: Source): Promise<object>;
  names(store: Source, limit: number): Promise<object>;
  countEvents(store: Source, orderId: string): Promise<number>;
}[] = Object.values(rooms);

/** What a report of a store has of the rooms. */
export type RoomReport = Merged<Awaited<ReturnType<Room['report']>>>;

const merged = async (parts: Promise<object>[]): Promise<object> =>
  Object.assign({}, ...(await Promise.all(parts)));

export const reportRooms = async (store: Source): Promise<RoomReport> =>
  // Safe: `Merged` says what all rooms have together.
  (await merged(all.map(({ report }) => report(store)))) as RoomReport;

/** The names that rooms have for command-line completion, by what they are of. */
export const nameRooms = async (store: Source, limit: number) =>
  // Safe: see above.
  (await merged(all.map(({ names }) => names(store, limit)))) as Merged<Awaited<ReturnType<Room['names']>>>;

/** How many events of an order are kept. */
export async function countEvents(store: Source, orderId: string): Promise<number> {
  const counts = await Promise.all(all.map((room) => room.countEvents(store, orderId)));
  return counts.reduce((sum, count) => sum + count, 0);
}
