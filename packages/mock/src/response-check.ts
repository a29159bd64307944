import { answerSchemas, type Operation } from '@topup-kit/core/contract';

/** `['data', 'products', 3, 'id']` reads `$.data.products[3].id`. */
const jsonPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}.${String(part)}`),
    '$',
  );

/** The paths of what was said but is in no schema: a schema reads what it knows, and drops the rest. */
function unknownPaths(said: unknown, read: unknown, path: readonly PropertyKey[] = []): string[] {
  if (typeof said !== 'object' || said === null || typeof read !== 'object' || read === null) return [];
  const known = new Map<string, unknown>(Object.entries(read));
  return Object.entries(said).flatMap(([name, value]) => {
    const here = [...path, Array.isArray(said) ? Number(name) : name];
    return known.has(name) ? unknownPaths(value, known.get(name), here) : [jsonPath(here)];
  });
}

interface Issue {
  code?: string | undefined;
  path: readonly PropertyKey[];
  message: string;
  expected?: unknown;
  values?: readonly unknown[];
}

const valueAt = (said: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, part) => (Object(value) === value ? Reflect.get(Object(value), part) : undefined),
    said,
  );

/** The schemas carry no texts, to be small: their own message is `Invalid input` and no more. */
function told({ path, message, expected, values }: Issue, answer: unknown): string {
  const wanted = values ? values.map((value) => JSON.stringify(value)).join(' or ') : expected;
  if (wanted === undefined) return message;
  return `expected ${wanted}, got ${JSON.stringify(valueAt(answer, path)) ?? 'nothing'}`;
}

/**
 * Holds an answer to the contract of its operation.
 *
 * @throws TypeError that names every place outside of it, as a JSON path.
 */
export function checkAnswer(operation: Operation, answer: unknown): void {
  const read = answerSchemas[operation].safeParse(answer);
  const problems = read.success
    ? unknownPaths(answer, read.data).map((path) => `${path} is not in the contract`)
    : read.error.issues.map((issue) => `${jsonPath(issue.path)}: ${told(issue, answer)}`);
  if (problems.length > 0)
    throw new TypeError(`This is no answer of ${operation}:${problems.map((one) => `\n  ${one}`).join('')}`);
}
