import type { CommandContext } from '../context.ts';
import { usageError } from '../errors/cli-error.ts';
import type { OutputStyle } from '../output/style.ts';
import { flagWords } from '../output/text.ts';
import type { OperatorStore } from './open.ts';

/** Paged list of the store. */
interface Pages<Item> {
  /** Name of the items, which is also their key in the document. */
  noun: string;
  command?: string;
  limit: number;
  read(limit: number): Promise<Item[]>;
  idOf(item: Item): string;
  documentOf(item: Item): object;
  screen(items: readonly Item[], style: OutputStyle): string;
  /** Given flags, for the command line of the next page. */
  flags: Readonly<Record<string, string | undefined>>;
}

/** Prints a page, and the command line of the next page if there are more items. */
export async function printPage<Item>(
  context: CommandContext,
  { path, commandLine }: OperatorStore,
  { noun, command = `${noun} list`, limit, read, idOf, documentOf, screen, flags }: Pages<Item>,
): Promise<void> {
  if (limit < 1) throw usageError('--limit must be a whole number from 1.');
  // Reads one item more than requested, which shows whether there is a next page.
  const newest = await read(limit + 1);
  const items = newest.slice(0, limit);
  const last = newest.length > limit ? items.at(-1) : undefined;
  const after = last && idOf(last);
  await context.print({
    document: { [noun]: items.map(documentOf), next_after: after ?? null },
    ids: items.map(idOf),
    screen: (style) => screen(items, style),
  });
  if (items.length === 0) context.remark(`No matching ${noun} in ${path}.`);
  if (after === undefined) return;
  const flagsOfNext = flagWords({ ...flags, '--limit': String(limit), '--cursor': after });
  context.remark(`\nOlder ones:\n  ${commandLine(`${command} ${flagsOfNext}`)}`);
}
