import { isContainer, valueAt } from '../json-path.ts';

/** The objects of a list at a path of a body; none where there is no such list. */
export function objectsAt(body: unknown, path: string): Record<string, unknown>[] {
  const list = valueAt(body, path);
  return Array.isArray(list) ? list.filter(isContainer) : [];
}

export function textAt(body: unknown, path: string): string | undefined {
  const value = valueAt(body, path);
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(body: unknown, path: string): number | undefined {
  const value = valueAt(body, path);
  return typeof value === 'number' ? value : undefined;
}
