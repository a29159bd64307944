import type { Dialect } from './dialect.ts';
import { type FieldRule, orderFields } from './field-rules.ts';

/** The rules of an order's fields: to read a body by, and to check it by. */
export interface OrderRules {
  read: readonly FieldRule[];
  check: typeof orderFields;
}

const withoutAlias = ({ alias: _alias, ...rule }: FieldRule): FieldRule => rule;

/** Names of an order's fields in the order in which a dialect checks them; other names come last. */
export function inFieldOrder(
  names: readonly string[],
  { fieldOrder }: Pick<Dialect, 'fieldOrder'>,
): string[] {
  const order: string[] = [...fieldOrder, ...orderFields.map(({ name }) => name)];
  const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return names.toSorted((a, b) => rank(a) - rank(b));
}

/**
 * The rules of an order as a dialect has them. Bodies are read in one order whatever the dialect, because the
 * fingerprint of an `Idempotency-Key` is made of what was read.
 */
export function orderRules(dialect: Dialect): OrderRules {
  const names = inFieldOrder(
    orderFields.map(({ name }) => name),
    dialect,
  );
  return {
    read: dialect.messengerNumber ? orderFields : orderFields.map(withoutAlias),
    // Safe: the same rules, in another order.
    check: names.flatMap((name) =>
      orderFields.filter((rule) => rule.name === name),
    ) as unknown as typeof orderFields,
  };
}
