import type { StoredCatalogEdit } from '@topup-kit/core/store';
import { CliError, exitCodes, usageError } from '../../errors/cli-error.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { operatorOption } from '../../input/operator.ts';
import { dryRunOption } from '../../input/prompts.ts';
import { counted, isoTime, timeInColumn, titleWithZone } from '../../output/format.ts';
import { type ColumnOf, tableOf } from '../../output/table.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import type { OperatorStore } from '../../store/open.ts';
import { makeEdit, valuesScreen } from './changes.ts';

/** Maximum number of shown edits; the history keeps all edits. */
const mostShown = 1_000;

const columnsAt = (moment: number): ColumnOf<StoredCatalogEdit>[] => [
  [{ title: 'EDIT', align: 'right' }, ({ number }) => String(number)],
  [{ title: titleWithZone('WHEN', moment) }, ({ at }) => timeInColumn(at)],
  [{ title: 'BY', spare: true }, ({ by }) => by ?? 'the server'],
  [{ title: 'WHAT', long: true }, ({ command }) => command],
  [{ title: 'CHANGES', align: 'right' }, ({ values }) => String(values.length)],
];

const documentOf = ({ number, at, by, command, values }: StoredCatalogEdit) => ({
  number,
  at: isoTime(at),
  by,
  command,
  changes: values,
});

/** Returns the number of the edit that an undo reverted. */
const undoneBy = ({ command }: StoredCatalogEdit): number | null =>
  Number(/^undo (\d+)$/.exec(command)?.[1] ?? 0) || null;

/** Finds the newest edit in effect: it was not undone, and is not an undo itself. */
function newestStanding(edits: readonly StoredCatalogEdit[]): StoredCatalogEdit | undefined {
  const byNumber = new Map(edits.map((edit) => [edit.number, edit]));
  const takenBack = new Set<number>();
  for (const edit of edits.toReversed()) {
    let target = undoneBy(edit);
    if (target === null) continue;
    // Undoing an undo restores the effect of the first edit.
    for (let next: StoredCatalogEdit | undefined = byNumber.get(target); next; next = byNumber.get(target)) {
      const further = undoneBy(next);
      if (further === null) break;
      target = further;
    }
    if (!takenBack.delete(target)) takenBack.add(target);
  }
  return edits.find((edit) => undoneBy(edit) === null && !takenBack.has(edit.number));
}

async function findEdit(
  { store, path, commandLine }: OperatorStore,
  number?: number,
): Promise<StoredCatalogEdit> {
  const edits = await store.listCatalogEdits(number === undefined ? mostShown : Number.MAX_SAFE_INTEGER);
  const edit = number === undefined ? newestStanding(edits) : edits.find((edit) => edit.number === number);
  if (edit) return edit;
  throw new CliError(
    number === undefined ? `${path} has no edit to take back.` : `There is no edit ${number} in ${path}.`,
    {
      code: 'EDIT_NOT_FOUND',
      exitCode: exitCodes.notFound,
      hint: `This lists them:\n  ${commandLine('catalog history')}`,
    },
  );
}

export const history = defineStoreCommand({
  name: 'history',
  description: 'List the edits of the catalogue, or show all changes of one edit',
  build: (command) =>
    command
      .argument('[edit]', 'the number of an edit', wholeNumber)
      .option('--limit <number>', 'how many edits to list; default: 20', wholeNumber),
  example: 'catalog history 12',
  async run(operating, context, options, number) {
    if (number !== undefined) {
      const edit = await findEdit(operating, number);
      const head = tableOf(columnsAt(edit.at), [edit]);
      return context.print({
        document: documentOf(edit),
        screen: (style) => `${head}\n${valuesScreen(edit.values, style)}`,
      });
    }
    const { limit = 20 } = options;
    if (limit < 1) throw usageError('--limit must be a whole number from 1.');
    const edits = await operating.store.listCatalogEdits(Math.min(limit, mostShown));
    await context.print({
      document: { edits: edits.map(documentOf) },
      ids: edits.map((edit) => String(edit.number)),
      screen: (style) => tableOf(columnsAt(edits[0]?.at ?? 0), edits, style),
    });
    if (edits.length === 0) context.remark(`${operating.path} has no edits yet.`);
  },
});

export const undo = defineStoreCommand({
  name: 'undo',
  description: 'Undo the newest edit of the catalogue, or an edit by its number',
  build: (command) =>
    command
      .argument('[edit]', 'the number of the edit', wholeNumber)
      .option(...operatorOption)
      .option(...dryRunOption),
  help: `An edit can only be undone completely, and only if nothing has changed its
values since. An undo is an edit, too, so you can undo it by its number.`,
  example: 'catalog undo 12',
  async run(operating, context, options, number) {
    const { undoEdit } = await import('@topup-kit/core/engine');
    const edit = await findEdit(operating, number);
    context.remark(`Edit ${edit.number}: ${edit.command}, ${counted(edit.values.length, 'change')}.\n`);
    const undoing = { command: `undo ${edit.number}`, planOf: undoEdit(edit) };
    await makeEdit(context, operating, undoing, options.dryRun === true);
  },
});
