import { endpoints, type Operation } from '@topup-kit/core/contract';

/** The operation of a request, and its path, rebuilt from validated parameters. */
export interface Target {
  operation: Operation;
  method: 'GET' | 'POST';
  /** Relative to `{base_url}`; starts with a slash. */
  path: string;
}

/** The maximum length of strings in the contract. */
const maxParameterLength = 255;
/** Not allowed in parameters, because the service may decode twice, or treat a backslash as a slash. */
const unsafe = /^\s*$|^\.\.?$|[%/\\\p{Cc}]/u;

/** Returns the allowed operations for an encoded path, one per method; empty if the path matches no route. */
export function matchRoutes(pathname: string, basePath: string, allowed: readonly Operation[]): Target[] {
  if (!pathname.startsWith(`${basePath}/`)) return [];
  const segments = pathname.slice(basePath.length).split('/');
  return allowed.flatMap((operation) => {
    const { method, path } = endpoints[operation];
    const filled = fill(path.split('/'), segments);
    return filled === undefined ? [] : [{ operation, method, path: filled }];
  });
}

/** Fills a path template with the segments of a request; undefined when they don't match. */
function fill(template: string[], segments: string[]): string | undefined {
  if (template.length !== segments.length) return undefined;
  const filled = template.map((part, index) => {
    const segment = segments[index] ?? '';
    if (part.startsWith('{')) return parameter(segment);
    return part === segment ? part : undefined;
  });
  return filled.includes(undefined) ? undefined : filled.join('/');
}

/** Validates and re-encodes a parameter, so that it always stays one segment. */
function parameter(segment: string): string | undefined {
  try {
    const value = decodeURIComponent(segment);
    return unsafe.test(value) || value.length > maxParameterLength ? undefined : encodeURIComponent(value);
  } catch {
    return undefined;
  }
}
