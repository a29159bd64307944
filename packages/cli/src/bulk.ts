import type { CommandContext } from './context.ts';
import { CliError, exitCodes, QuietExit, reasonOf, stopCodeOf, usageError } from './errors/cli-error.ts';
import { counted } from './output/format.ts';
import type { Result } from './output/print.ts';
import { printable } from './output/text.ts';

type RunForId = (context: CommandContext, id: string) => Promise<void>;

/**
 * Runs a command for each id, prints all results as one result, and then the remarks. A failed id doesn't stop the others; the command then
 * exits with 6. A signal ends the run after the current id, and the results until then are printed.
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
  const notDone: string[] = [];
  /** Ids for each remark, because most runs have the same remarks. */
  const remarks = new Map<string, Set<string>>();
  const { io, globals } = context;
  const shared = {
    io,
    globals,
    promptTerminal: undefined,
    print,
    printNext: print,
    handled: new Set<string>(),
  };
  for (const id of ids) {
    // The process receives a signal only between two turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    if (io.signal?.aborted) {
      notDone.push(id);
      continue;
    }
    const remark = (text: string): unknown => remarks.set(text, (remarks.get(text) ?? new Set()).add(id));
    try {
      await run({ ...shared, remark }, id);
    } catch (error) {
      const { message, details } = fromThrown(error);
      failed.push({ id, code: details.code, message });
    }
  }
  await context.print({
    document: {
      done: done.map(({ document }) => document),
      failed,
      ...(notDone.length > 0 && { not_done: notDone }),
    },
    ids: done.flatMap((result) => result.ids ?? []),
    screen: async (style) => (await Promise.all(done.map((result) => result.screen(style)))).join(''),
  });
  for (const [text, of] of remarks)
    context.remark(of.size === ids.length ? text : `${printable([...of].join(', '))}: ${text}`);
  if (failed.length > 0)
    context.remark(
      `${counted(failed.length, 'id')} of ${ids.length} failed:\n${failed.map(({ id, message }) => `  ${printable(id)}: ${message}`).join('\n')}`,
    );
  if (notDone.length > 0)
    throw new CliError(`Stopped: nothing was done for ${counted(notDone.length, 'id')} of ${ids.length}.`, {
      code: 'ABORTED',
      exitCode: stopCodeOf(io.signal?.reason),
      hint: `To continue, give only these:\n${notDone.map((id) => `  ${printable(id)}`).join('\n')}`,
    });
  if (failed.length > 0) throw new QuietExit(exitCodes.rejected);
}

interface Input {
  isSure: boolean;
  /** Parses an id like an argument; throws if it is invalid. */
  parse: ((text: string, previous: string) => string) | undefined;
}

/** Runs a command for the ids on standard input, which are separated by spaces or lines. */
export async function runForInput(
  context: CommandContext,
  { isSure, parse }: Input,
  run: RunForId,
): Promise<void> {
  if (!isSure) throw usageError('Ids from standard input need --yes or --dry-run.', 'Nothing was done.');
  const chunks: Uint8Array[] = [];
  for await (const chunk of context.io.stdin) chunks.push(Buffer.from(chunk));
  const ids = [...new Set(Buffer.concat(chunks).toString('utf8').split(/\s+/).filter(Boolean))];
  if (ids.length === 0)
    throw usageError('Standard input has no ids.', 'Write one id on each line, like the output of --quiet.');
  for (const id of ids)
    try {
      parse?.(id, id);
    } catch (error) {
      throw usageError(
        `"${printable(id)}" on standard input is not a valid id. ${reasonOf(error)}`,
        'Nothing was done.',
      );
    }
  await runForEach(context, ids, run);
}
