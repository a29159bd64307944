import { readdirSync, readFileSync } from 'node:fs';

/** Pages only for server operators. */
const forOperators: readonly string[] = [
  'adapters',
  'backup',
  'catalog',
  'deployment',
  'going-live',
  'operation',
  'past-one-database',
  'reports',
  'runbook',
  'secrets',
  'security-matrix',
  'settings',
  'simulators',
  'threat-model',
];

function readPages(folder: URL): Record<string, string> {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length))
    .filter((name) => !forOperators.includes(name));
  return Object.fromEntries(
    names.sort().map((name) => [name, readFileSync(new URL(`${name}.md`, folder), 'utf8')]),
  );
}

const docs = new URL('../../../../docs/', import.meta.url);

/** Page that alerts name. */
export const runbook: string = readFileSync(new URL('runbook.md', docs), 'utf8');

/**
 * Pages of the documentation for integrators, by name, as Markdown. A build replaces this module with their texts
 * (`scripts/docs-pages.ts`).
 */
export const pages: Readonly<Record<string, string>> = readPages(docs);
