import { endpoints, type Operation } from '@topup-kit/core/contract';
import { TopupUsageError } from '../errors/index.ts';

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The path parameters of an operation: `{ slug: string }` for `/games/{slug}`. */
export type PathParams<Name extends Operation> = Record<NamesIn<(typeof endpoints)[Name]['path']>, string>;

/** The operation's path with its parameters filled in, each kept to its own segment. */
export function pathOf<Name extends Operation>(operation: Name, params: PathParams<Name>): string {
  let path: string = endpoints[operation].path;
  for (const [name, value] of Object.entries<string>(params)) {
    path = path.replace(`{${name}}`, encodeSegment(operation, name, value));
  }
  return path;
}

/** An empty segment would be another route, and URLs resolve `.` and `..` even when they are encoded. */
function encodeSegment(operation: Operation, name: string, value: string): string {
  const usable = typeof value === 'string' && value.isWellFormed() && !/^\s*$|^\.\.?$/.test(value);
  if (usable) return encodeURIComponent(value);
  throw new TopupUsageError(
    'INVALID_PATH_PARAMETER',
    `${name} must be text that is not empty and not '.' or '..'.`,
    { operation },
  );
}
