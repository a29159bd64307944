import type { Answer } from '../../service/probe.ts';
import { type Check, good, skipped, warning } from './check.ts';

const name = 'clock';
/** A server tells its time to the second. */
const resolution = 1_000;
/** Where times begin to look wrong to people; answers' own signatures allow for minutes. */
const tolerable = 5_000;

/** What the server's clock showed, in unix milliseconds; an answer out of a cache says for how long it lay there. */
function serverTime({ headers }: Answer): number | undefined {
  const date = Date.parse(headers.get('Date') ?? '');
  return Number.isNaN(date) ? undefined : date + Number(headers.get('Age') ?? 0) * 1_000;
}

/** How far this machine is ahead of the server at the least: the way there and back, and the second, are no skew. */
export function leastSkew({ sentAt, answeredAt }: Answer, server: number): number {
  if (sentAt > server + resolution) return sentAt - (server + resolution);
  return Math.min(0, answeredAt - server);
}

/** Compares the clock of this machine with that of the service. */
export function checkClock(answer: Answer): Check {
  const server = serverTime(answer);
  if (server === undefined) return skipped(name, 'the service does not tell its time');
  const skew = leastSkew(answer, server);
  if (Math.abs(skew) <= tolerable) return good(name, "agrees with the service's");
  const seconds = Math.round(Math.abs(skew) / 1_000);
  return warning(
    name,
    `this machine is ${seconds} seconds ${skew > 0 ? 'ahead of' : 'behind'} the service, so times to pay look wrong`,
    "Let this machine's clock be set by the network (NTP); if it is, the service's is wrong.",
  );
}
