import type { Operation } from '@topup-kit/core/contract';
import { responseSchemas } from '@topup-kit/core/schemas';

/** Writes `['data', 'products', 3, 'id']` as `$.data.products[3].id`. */
const jsonPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}.${String(part)}`),
    '$',
  );

/** Returns the paths of fields that parsing removed because the schema doesn't know them. */
function unknownPaths(value: unknown, parsed: unknown, path: readonly PropertyKey[] = []): string[] {
  if (typeof value !== 'object' || value === null || typeof parsed !== 'object' || parsed === null) return [];
  const known = new Map<string, unknown>(Object.entries(parsed));
  return Object.entries(value).flatMap(([name, inside]) => {
    const here = [...path, Array.isArray(value) ? Number(name) : name];
    return known.has(name) ? unknownPaths(inside, known.get(name), here) : [jsonPath(here)];
  });
}

interface Issue {
  code?: string | undefined;
  path: readonly PropertyKey[];
  message: string;
  expected?: unknown;
  values?: readonly unknown[];
}

const valueAt = (body: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, part) => (Object(value) === value ? Reflect.get(Object(value), part) : undefined),
    body,
  );

/** Describes an issue. The schemas have only the message `Invalid input`, to keep them small. */
function describeIssue({ path, message, expected, values }: Issue, response: unknown): string {
  const wanted = values ? values.map((value) => JSON.stringify(value)).join(' or ') : expected;
  if (wanted === undefined) return message;
  return `expected ${wanted}, got ${JSON.stringify(valueAt(response, path)) ?? 'nothing'}`;
}

/**
 * Checks a response against the contract of its operation.
 *
 * @throws TypeError that names the JSON path of every problem.
 */
export function checkResponse(operation: Operation, response: unknown): void {
  const parsed = responseSchemas[operation].safeParse(response);
  const problems = parsed.success
    ? unknownPaths(response, parsed.data).map((path) => `${path} is not in the contract`)
    : parsed.error.issues.map((issue) => `${jsonPath(issue.path)}: ${describeIssue(issue, response)}`);
  if (problems.length > 0)
    throw new TypeError(
      `Invalid response of ${operation}:${problems.map((problem) => `\n  ${problem}`).join('')}`,
    );
}
