import { createRecord } from '@topup-kit/core/app';
import { expect, it } from 'vitest';
import { startWatch, type Watch, type Watcher } from '../src/observability/watch.ts';

const host = { logger: { warn: () => {} }, basePath: '' };
const unwanted: Watcher = { secrets: () => [], start: async () => null };

/** A watch that notes what it sees. */
function watcher(name: string, seen: string[]): Watcher {
  const watch: Watch = {
    inRequest(_headers, _record, handle) {
      seen.push(`${name} before`);
      const result = handle();
      seen.push(`${name} after`);
      return result;
    },
    endRequest: () => void seen.push(`${name} request`),
    noteCall: ({ call }) => void seen.push(`${name} ${call}`),
    async watchWork(kind, item, work) {
      seen.push(`${name} ${kind} ${item}`);
      return work();
    },
    close: async (timeoutMs) => void seen.push(`${name} closed in ${timeoutMs}`),
  };
  return { secrets: () => [], start: async () => watch };
}

it('watches nothing when no room wants to', async () => {
  expect(await startWatch([unwanted], host)).toBeUndefined();
  expect(await startWatch([], host)).toBeUndefined();
});

it('lets each room watch, one around the other', async () => {
  const seen: string[] = [];
  const watch = await startWatch([watcher('outer', seen), unwanted, watcher('inner', seen)], host);
  const record = createRecord('GET');
  expect(watch?.inRequest({}, record, () => 7)).toBe(7);
  expect(seen.splice(0)).toEqual(['outer before', 'inner before', 'inner after', 'outer after']);
  watch?.endRequest(record);
  watch?.noteCall({ provider: 'tripay', call: 'checkPayment', orderId: null, outcome: 'ok', ms: 1 });
  expect(seen.splice(0).sort()).toEqual([
    'inner checkPayment',
    'inner request',
    'outer checkPayment',
    'outer request',
  ]);
  expect(await watch?.watchWork('deliver', 'INV-1', async () => 8)).toBe(8);
  expect(seen.splice(0)).toEqual(['outer deliver INV-1', 'inner deliver INV-1']);
  await watch?.close(5);
  expect(seen.sort()).toEqual(['inner closed in 5', 'outer closed in 5']);
});
