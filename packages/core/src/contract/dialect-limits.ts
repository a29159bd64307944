import type { Dialect } from './dialect.ts';

/** The longest that an order may wait for its payment: 366 days, in minutes (source: ours). */
export const mostExpiryMinutes = 366 * 24 * 60;

/** Whether an order can wait for its payment for so many minutes. */
export const isExpiryMinutes = (minutes: number): boolean =>
  Number.isInteger(minutes) && minutes >= 1 && minutes <= mostExpiryMinutes;

/** What an order's statuses start as; interface 3 names these, so that no dialect renames them. */
const first = { paymentStatuses: 'UNPAID', buyStatuses: 'Pending' } as const;

/** The names that a dialect gives to more than one status: a client could not tell those apart. */
export function ambiguousStatuses(
  entry: keyof typeof first,
  names: Dialect['paymentStatuses'] | Dialect['buyStatuses'],
): string[] {
  const all = [first[entry], ...Object.values(names)];
  return [...new Set(all.filter((name, index) => all.indexOf(name) !== index))];
}

/** What keeps a service from speaking a dialect; nothing for one that can be spoken. */
export function unservable(dialect: Dialect): string[] {
  const statuses = (['paymentStatuses', 'buyStatuses'] as const).flatMap((entry) =>
    ambiguousStatuses(entry, dialect[entry]).map(
      (name) => `dialect.${entry} gives ${name} to more than one status`,
    ),
  );
  const expiries = Object.entries(dialect.expiryMinutes)
    .filter(([, minutes]) => !isExpiryMinutes(minutes))
    .map(([group]) => `dialect.expiryMinutes.${group} must be whole minutes from 1 to ${mostExpiryMinutes}`);
  return [...statuses, ...expiries];
}
