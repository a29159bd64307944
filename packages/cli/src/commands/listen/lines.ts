import { orderEventTypes } from '@topup-kit/core/contract';
import type { OrderEvent } from '@topup-kit/sdk';
import { timeOfDay } from '../../output/format.ts';
import type { OutputStyle } from '../../output/style.ts';
import { printable } from '../../output/text.ts';
import type { Forwarded } from './forward.ts';

const typeWidth = Math.max(...orderEventTypes.map((type) => type.length));

/** Formats an event: `10:00:31  order.paid        INV-20260329093000-ABCDEFGH`. */
export const eventText = ({ type, timestamp, data }: OrderEvent): string =>
  [timeOfDay(Date.parse(timestamp)), printable(type).padEnd(typeWidth), printable(data.order.order_id)].join(
    '  ',
  );

const isTaken = (forwarded: Forwarded): boolean =>
  'status' in forwarded && forwarded.status >= 200 && forwarded.status < 300;

function forwardedText(forwarded: Forwarded | undefined, { paint }: OutputStyle): string {
  if (!forwarded) return '';
  const words =
    'status' in forwarded
      ? [String(forwarded.status), printable(forwarded.said ?? '')].filter((word) => word !== '').join(' ')
      : forwarded.problem;
  return `  ${paint(isTaken(forwarded) ? 'good' : 'bad', words)}`;
}

/** Formats one line for an event, with the receiver's response if the event was forwarded. */
export const eventLine = (event: OrderEvent, forwarded: Forwarded | undefined, style: OutputStyle): string =>
  `${eventText(event)}${forwardedText(forwarded, style)}\n`;

const problemOf = (forwarded: Forwarded | undefined): string | null => {
  if (!forwarded) return null;
  return 'problem' in forwarded ? forwarded.problem : (forwarded.said ?? null);
};

/** Converts an event for `--json`; status and problem may be null. */
export const eventDocument = (
  { id, type, timestamp, data }: OrderEvent,
  forwarded: Forwarded | undefined,
) => ({
  id,
  type,
  timestamp,
  order_id: data.order.order_id,
  status: forwarded && 'status' in forwarded ? forwarded.status : null,
  problem: problemOf(forwarded),
});
