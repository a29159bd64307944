import { endpoints, type Operation } from '@topup-kit/core/contract';

/** What a request asks for: an operation, and its path made anew from parameters that were checked. */
export interface Target {
  operation: Operation;
  method: 'GET' | 'POST';
  /** Relative to `{base_url}`; begins with a slash. */
  path: string;
}

/** Longer than any slug or order id of the contract, whose strings end at 255. */
const maxParameterLength = 255;
/** A server behind may decode twice, or take a backslash for a slash. */
const misleading = /^\s*$|^\.\.?$|[%/\\\p{Cc}]/u;

/** The allowed operations, one a method, that a path (as URLs write it) stands for; none when it is no route. */
export function matchRoutes(pathname: string, basePath: string, allowed: readonly Operation[]): Target[] {
  if (!pathname.startsWith(`${basePath}/`)) return [];
  const segments = pathname.slice(basePath.length).split('/');
  return allowed.flatMap((operation) => {
    const { method, path } = endpoints[operation];
    const made = fill(path.split('/'), segments);
    return made === undefined ? [] : [{ operation, method, path: made }];
  });
}

/** Undefined when the segments are not those of the template. */
function fill(template: string[], segments: string[]): string | undefined {
  if (template.length !== segments.length) return undefined;
  const made = template.map((part, index) => {
    const segment = segments[index] ?? '';
    if (part.startsWith('{')) return parameter(segment);
    return part === segment ? part : undefined;
  });
  return made.includes(undefined) ? undefined : made.join('/');
}

/** Decoded, checked and encoded anew: whatever it holds, it stays one segment. */
function parameter(segment: string): string | undefined {
  try {
    const value = decodeURIComponent(segment);
    return misleading.test(value) || value.length > maxParameterLength
      ? undefined
      : encodeURIComponent(value);
  } catch {
    return undefined;
  }
}
