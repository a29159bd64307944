import type { Conflict, PromoClaim, PromoUses } from '../store.ts';
import type { Promo } from '../types.ts';
import type { MemoryState } from './state.ts';

const customerKey = ({ code, customer }: Pick<PromoClaim, 'code' | 'customer'>): string =>
  `${code}\n${customer}`;

const uses = (state: MemoryState, key: string): number => state.uses.get(key) ?? 0;

const usesOfCustomer = (
  state: MemoryState,
  { code, customer, customerHash = customer }: Pick<PromoClaim, 'code' | 'customer' | 'customerHash'>,
): number =>
  [...new Set([customer, customerHash])].reduce(
    (sum, customer) => sum + uses(state, customerKey({ code, customer })),
    0,
  );

export const countUses = (
  state: MemoryState,
  claim: Pick<PromoClaim, 'code' | 'customer' | 'customerHash'>,
): PromoUses => ({ total: uses(state, claim.code), byCustomer: usesOfCustomer(state, claim) });

function addUses(state: MemoryState, claim: PromoClaim, count: 1 | -1): void {
  for (const key of [claim.code, customerKey(claim)]) state.uses.set(key, uses(state, key) + count);
}

function hasRoom(state: MemoryState, code: string): boolean {
  const quota = state.promos.get(code)?.quota ?? null;
  return quota === null || uses(state, code) < quota;
}

export function claimConflict(
  state: MemoryState,
  claim: PromoClaim | null,
): Conflict<'promo_exhausted' | 'promo_used'> | null {
  if (!claim) return null;
  if (!hasRoom(state, claim.code)) return { conflict: 'promo_exhausted' };
  if (claim.perCustomer !== null && usesOfCustomer(state, claim) >= claim.perCustomer)
    return { conflict: 'promo_used' };
  return null;
}

export function claimUse(state: MemoryState, orderId: string, claim: PromoClaim | null): void {
  if (!claim) return;
  state.claims.set(orderId, { ...claim, released: false });
  addUses(state, claim, 1);
}

export function releaseUse(state: MemoryState, orderId: string): void {
  const claim = state.claims.get(orderId);
  if (!claim || claim.released) return;
  state.claims.set(orderId, { ...claim, released: true });
  addUses(state, claim, -1);
}

export function reclaimUse(state: MemoryState, orderId: string): void {
  const claim = state.claims.get(orderId);
  if (!claim?.released || !hasRoom(state, claim.code)) return;
  state.claims.set(orderId, { ...claim, released: false });
  addUses(state, claim, 1);
}

/** Replaces the customer in an order's promo use, such as by a hash. */
export function renameCustomer(state: MemoryState, orderId: string, customer: string): void {
  const claim = state.claims.get(orderId);
  if (!claim) return;
  if (!claim.released) addUses(state, claim, -1);
  state.claims.set(orderId, { ...claim, customer });
  if (!claim.released) addUses(state, { ...claim, customer }, 1);
}

/** Finds the first promo whose new quota is below its current uses. */
export function quotaConflict(
  state: MemoryState,
  promos: readonly Promo[],
): { conflict: 'promo_quota_below_uses'; code: string; uses: number } | null {
  for (const { code, quota } of promos) {
    const used = uses(state, code);
    if (quota !== null && used > quota) return { conflict: 'promo_quota_below_uses', code, uses: used };
  }
  return null;
}
