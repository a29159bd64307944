import { type StoreAddress, verifyStore } from '../packages/server/src/index.ts';

/** Address of a store that several programs can open. */
export type SharedAddress = Exclude<StoreAddress, { kind: 'memory' }>;

/** Verifies a store. @throws Error if `topup db verify` finds differences in it. */
export async function expectSound(address: SharedAddress): Promise<void> {
  const { differences, found } = await verifyStore(address, { limit: 5 });
  if (found > 0)
    throw new Error(
      `the store contradicts itself in ${found} places: ${differences
        .map(({ rule, orderId, sentence }) => `${orderId ?? 'the store'}, ${rule}: ${sentence}`)
        .join('; ')}`,
    );
}
