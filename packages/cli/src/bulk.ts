import type { CommandContext } from './context.ts';
import { exitCodes, QuietExit, usageError } from './errors/cli-error.ts';
import { counted } from './output/format.ts';
import type { Result } from './output/print.ts';
import { printable } from './output/text.ts';

type RunForId = (context: CommandContext, id: string) => Promise<void>;

/**
 * Runs a command for each id and prints all results as one. An id that fails stops no other; the command then ends with 6.
 */
export async function runForEach(
  context: CommandContext,
  ids: readonly string[],
  run: RunForId,
): Promise<void> {
  const { fromThrown } = await import('./service/to-cli-error.ts');
  const done: Result[] = [];
  const failed: { id: string; code: string; message: string }[] = [];
  const print = async (result: Result): Promise<void> => {
    done.push(result);
  };
  for (const id of ids) {
    context.io.signal?.throwIfAborted();
    const { io, globals } = context;
    try {
      await run({ io, globals, promptTerminal: undefined, print, printNext: print, remark() {} }, id);
    } catch (error) {
      const { message, details } = fromThrown(error);
      failed.push({ id, code: details.code, message });
    }
  }
  await context.print({
    document: { done: done.map(({ document }) => document), failed },
    ids: done.flatMap((result) => result.ids ?? []),
    screen: async (style) => (await Promise.all(done.map((result) => result.screen(style)))).join(''),
  });
  if (failed.length === 0) return;
  context.remark(
    `${counted(failed.length, 'id')} of ${ids.length} failed:\n${failed.map(({ id, message }) => `  ${printable(id)}: ${message}`).join('\n')}`,
  );
  throw new QuietExit(exitCodes.rejected);
}

/** Runs a command for the ids on standard input, separated by spaces or lines. */
export async function runForInput(
  context: CommandContext,
  { isSure }: { isSure: boolean },
  run: RunForId,
): Promise<void> {
  if (!isSure) throw usageError('Ids from standard input need --yes or --dry-run.', 'Nothing was done.');
  const chunks: Uint8Array[] = [];
  for await (const chunk of context.io.stdin) chunks.push(Buffer.from(chunk));
  const ids = [...new Set(Buffer.concat(chunks).toString('utf8').split(/\s+/).filter(Boolean))];
  if (ids.length === 0)
    throw usageError('Standard input has no ids.', 'Give one on each line, as --quiet prints them.');
  await runForEach(context, ids, run);
}
