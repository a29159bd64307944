import type { ScenarioName } from './names.ts';

/** What is to become of an order, decided when it was made. */
export interface Fate {
  /** When the gateway says that its payment failed, in unix milliseconds of world time; null when it doesn't. */
  declinedAt: number | null;
  supplier: 'supplier-fails' | 'supplier-down' | null;
}

/** How long a gateway takes to decline, in milliseconds of world time. */
const declineTime = 2_000;

/** The fate that scenarios give to an order made at a moment; null when they leave it alone. */
export function fateOf(names: readonly ScenarioName[], now: number): Fate | null {
  const declinedAt = names.includes('payment-declined') ? now + declineTime : null;
  const supplier = names.find((name) => name === 'supplier-fails' || name === 'supplier-down') ?? null;
  return declinedAt === null && supplier === null ? null : { declinedAt, supplier };
}
