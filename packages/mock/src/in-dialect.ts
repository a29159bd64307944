import type { Dialect } from '@topup-kit/core/contract';

/** A body in this kit's words with the names that a dialect has for its statuses. */
export function inDialect({ paymentStatuses, buyStatuses }: Dialect, body: object): object {
  const names: Record<string, ReadonlyMap<unknown, string>> = {
    payment_status: new Map(Object.entries(paymentStatuses)),
    buy_status: new Map(Object.entries(buyStatuses)),
  };
  return JSON.parse(JSON.stringify(body, (key, value: unknown) => names[key]?.get(value) ?? value));
}
