import { routes } from '../../contract/index.ts';
import type { ConformanceCase } from '../case.ts';
import type { Citation } from '../citation.ts';
import type { Difference } from '../failure.ts';
import type { ConformanceResult } from '../run.ts';
import type { FieldDifference } from './field-differences.ts';

/** Something that a service does otherwise than the contract says. */
export interface ServiceDifference {
  /** A `value` is anything that is neither a field's presence or type, nor a status, nor a header. */
  kind: FieldDifference['kind'] | 'status' | 'header' | 'value';
  /** Whether the interface is departed from, or what this kit adds to it. An `extra` field departs from nothing. */
  origin: ConformanceCase['origin'];
  /** Method and path, as in `POST /order`. */
  request: string;
  /** JSON path or header; left out for the answer as a whole. */
  at?: string | undefined;
  expected: string;
  came: string;
  /** The sentence of the contract, where a case stands for one. */
  by?: Citation;
}

const ofInterface = new Set(
  [routes.listGames, routes.createOrder].map(({ method, path }) => `${method} ${path}`),
);

function kindOf({ at, expected }: Difference): ServiceDifference['kind'] {
  if (at?.startsWith('header ')) return 'header';
  return at === undefined && expected.startsWith('status ') ? 'status' : 'value';
}

/** One name for a field of all things in a list. */
const place = ({ request, at = '' }: Pick<ServiceDifference, 'request' | 'at'>): string =>
  `${request} ${at.replace(/\[\d+\]/g, '[]')}`;

const rank = ({ origin }: ServiceDifference): number => (origin === 'interface' ? 0 : 1);

/** All differences that cases and fields show, each once. */
export function differencesOf(
  results: readonly ConformanceResult[],
  fields: readonly FieldDifference[],
): ServiceDifference[] {
  const ofFields = fields.map((one): ServiceDifference => {
    const origin = ofInterface.has(one.request) ? 'interface' : 'extension';
    return { ...one, origin };
  });
  const told = new Set(ofFields.map(place));
  const ofCases = results.flatMap(({ origin, difference }): ServiceDifference[] =>
    difference && !told.has(place(difference)) ? [{ kind: kindOf(difference), origin, ...difference }] : [],
  );
  const once = new Map([...ofFields, ...ofCases].map((one) => [JSON.stringify(one), one]));
  return [...once.values()].toSorted((a, b) => rank(a) - rank(b));
}
