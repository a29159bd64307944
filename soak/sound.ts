import { type StoreAddress, verifyStore } from '../packages/server/src/index.ts';

/** A store that several programs can open. */
export type SharedAddress = Exclude<StoreAddress, { kind: 'memory' }>;

/** @throws Error when the store contradicts itself, as `topup db verify` says it. */
export async function expectSound(address: SharedAddress): Promise<void> {
  const { differences, found } = await verifyStore(address, { limit: 5 });
  if (found > 0)
    throw new Error(
      `the store contradicts itself in ${found} places: ${differences
        .map(({ rule, orderId, sentence }) => `${orderId ?? 'the store'}, ${rule}: ${sentence}`)
        .join('; ')}`,
    );
}
