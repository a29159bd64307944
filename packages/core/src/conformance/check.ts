import type * as z from 'zod/mini';
import { withheldHeaders } from '../contract/index.ts';
import type { Citation } from './citation.ts';
import { ConformanceFailure } from './failure.ts';
import { extraFields, isContainer, jsonPath, sameJson, valueAt } from './json-path.ts';
import type { Answer, Probe } from './probe.ts';

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
};

/** Fails unless a condition holds for what stands at a path of the body. */
export function expectThat(
  holds: boolean,
  { answer, path, expected, by }: { answer: Answer; path: string; expected: string; by: Citation },
): asserts holds {
  const { request, body } = answer;
  if (holds) return;
  throw new ConformanceFailure({
    request,
    at: jsonPath(path),
    expected,
    came: shown(valueAt(body, path)),
    by,
  });
}

export function expectStatus(answer: Answer, status: number, by: Citation): void {
  if (answer.status === status) return;
  const came = `${answer.status} ${answer.text.slice(0, 200)}`;
  throw new ConformanceFailure({ request: answer.request, expected: `status ${status}`, came, by });
}

/** The value at a path, as JSON. */
export const expectAt = (answer: Answer, path: string, value: unknown, by: Citation): void =>
  expectThat(sameJson(valueAt(answer.body, path), value), { answer, path, expected: shown(value), by });

export const expectAbsent = (answer: Answer, path: string, by: Citation): void =>
  expectThat(valueAt(answer.body, path) === undefined, { answer, path, expected: 'no such field', by });

export function expectText(answer: Answer, path: string, pattern: RegExp, by: Citation): void {
  const value = valueAt(answer.body, path);
  const holds = typeof value === 'string' && pattern.test(value);
  expectThat(holds, { answer, path, expected: `text like ${pattern}`, by });
}

export function expectUrl(answer: Answer, path: string, by: Citation): void {
  const value = valueAt(answer.body, path);
  const holds = typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '');
  expectThat(holds, { answer, path, expected: 'a URL', by });
}

/** A header that the service's dialect doesn't send is not looked for. */
export function expectHeader(answer: Answer, name: string, value: string | null, by: Citation): void {
  const came = answer.headers.get(name);
  if (came === value || withheldHeaders(answer.dialect).includes(name)) return;
  throw new ConformanceFailure({
    request: answer.request,
    at: `header ${name}`,
    expected: shown(value),
    came: shown(came),
    by,
  });
}

/** What a schema says of the first thing that it takes offence at. */
const complaint = ({ message, ...issue }: z.core.$ZodIssue): string =>
  'expected' in issue
    ? String(issue.expected)
    : 'values' in issue
      ? `one of ${shown(issue.values)}`
      : message;

/** A citation for each field of an object. */
export type Rows = (field: string) => Citation;

/** The rows of a section of the interface by their field; `whole` stands for an object that isn't there at all. */
export const rowsOf =
  (section: string, whole: Citation): Rows =>
  (field) =>
    field === '' ? whole : `interface ${section}/${field}`;

/**
 * Reads what stands at a path by a schema of the contract. A missing field or one of a wrong type fails and cites
 * the row of its name (the empty name: the whole); a field that the schema doesn't know is only noted.
 */
export function readAt<Type>(
  probe: Pick<Probe, 'note'>,
  answer: Answer,
  { path = '', schema, rows }: { path?: string; schema: z.ZodMiniType<Type>; rows: Rows },
): Type {
  const value = valueAt(answer.body, path);
  const read = schema.safeParse(value);
  if (read.success) {
    for (const extra of extraFields(value, read.data, path))
      probe.note(`${answer.request}, ${jsonPath(extra)}: a field that the contract doesn't have`);
    return read.data;
  }
  const [issue] = read.error.issues;
  const inside = issue?.path.map(String) ?? [];
  throw new ConformanceFailure({
    request: answer.request,
    at: jsonPath([path, ...inside].filter((part) => part !== '').join('.')),
    expected: issue ? complaint(issue) : 'a body of the contract',
    came: shown(valueAt(value, inside.join('.'))),
    by: rows(inside[0] ?? ''),
  });
}

/** The things of an array, by their paths. */
export function pathsIn(answer: Answer, path: string, by: Citation): string[] {
  const list = valueAt(answer.body, path);
  expectThat(Array.isArray(list), { answer, path, expected: 'an array', by });
  return Object.keys(list).map((index) => `${path}.${index}`);
}

/** The fields of an object in the order they are written in. */
export function fieldsAt(answer: Answer, path: string, by: Citation): string[] {
  const value = valueAt(answer.body, path);
  expectThat(isContainer(value), { answer, path, expected: 'an object', by });
  return Object.keys(value);
}
