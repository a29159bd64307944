import type { CopiedStore, CopyProblem, StoreCopyProgress } from '@topup-kit/server';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { CliError, type ExitCode, exitCodes, stopCodeOf, usageError } from '../../errors/cli-error.ts';
import type { Io } from '../../io.ts';
import { grouped } from '../../output/format.ts';
import { withProgress } from '../../output/progress.ts';
import type { OutputStyle } from '../../output/style.ts';
import { type Column, list, table } from '../../output/table.ts';
import { findStore, onSameStore } from '../../store/open.ts';
import { onStoreFile } from './store-file.ts';
import { verifyAfterwards } from './verify.ts';

const kinds: Record<CopyProblem, { code: string; exitCode: ExitCode; hint: string }> = {
  served: {
    code: 'STORE_SERVED',
    exitCode: exitCodes.rejected,
    hint: 'Stop all servers of the store, and copy it then. One that was killed is forgotten within ten seconds.',
  },
  not_empty: {
    code: 'STORE_NOT_EMPTY',
    exitCode: exitCodes.rejected,
    hint: 'Nothing was changed. Copy it to an empty database, or to a file that does not exist.',
  },
  other_copy: {
    code: 'STORE_NOT_EMPTY',
    exitCode: exitCodes.rejected,
    hint: 'Nothing was changed. Run the former copy again to continue it, or delete it with --restart.',
  },
  changed: {
    code: 'STORE_CHANGED',
    exitCode: exitCodes.failure,
    hint: "Stop all servers and operators' commands, and copy it again.",
  },
  in_use: {
    code: 'STORE_IN_USE',
    exitCode: exitCodes.rejected,
    hint: 'Wait until it has ended.',
  },
};

/** Runs a copy; a problem of it is thrown as a CliError. */
async function onCopy(io: Io, work: () => Promise<CopiedStore>): Promise<CopiedStore> {
  const { CopyError } = await import('@topup-kit/server');
  try {
    return await onStoreFile(io, { missing: 'Check the name of the store with --from.' }, async () => {
      try {
        return await work();
      } catch (error) {
        if (!io.signal?.aborted || error !== io.signal.reason) throw error;
        throw new CliError('Stopped. The same command goes on where it stopped.', {
          code: 'ABORTED',
          exitCode: stopCodeOf(error),
        });
      }
    });
  } catch (error) {
    if (!(error instanceof CopyError)) throw error;
    throw new CliError(error.message, { ...kinds[error.problem], cause: error });
  }
}

const barWidth = 20;

/** `Copying █████░░░░░░░░░░░░░░░ 25 %` */
export function progressWords({ step, done, total }: StoreCopyProgress): string {
  const share = total === 0 ? 1 : done / total;
  const full = Math.floor(share * barWidth);
  const bar = '█'.repeat(full) + '░'.repeat(barWidth - full);
  return `${step === 'copying' ? 'Copying' : 'Comparing'} ${bar} ${Math.floor(share * 100)} %`;
}

const columns: Column[] = [{ title: 'TABLE' }, { title: 'ROWS', align: 'right' }, { title: 'SHA-256' }];

export function copyScreen(
  names: { from: string; to: string },
  { tables }: CopiedStore,
  style: OutputStyle,
): string {
  const rows = tables.map(({ table: name, rows, sha256 }) => [name, grouped(rows), sha256.slice(0, 16)]);
  const facts = list(
    [
      ['From', names.from],
      ['To', names.to],
    ],
    style,
  );
  return `${facts}\n${table(columns, rows, { ...style, indent: 2 })}`;
}

/** Both stores; the one without a flag is the store of other commands. */
async function findStores(context: CommandContext, { from, to }: { from?: string; to?: string }) {
  if (from === undefined && to === undefined)
    throw usageError('db copy needs the other store: --from, --to or both.');
  const find = (store: string | undefined, flag: string) =>
    findStore(context, { flag, ...(store !== undefined && { store }) });
  const [source, target] = [await find(from, '--from'), await find(to, '--to')];
  if (source.address.kind === target.address.kind)
    throw usageError(
      source.address.kind === 'file'
        ? 'Both are store files: db copy moves a store from a file to PostgreSQL, or back.'
        : 'Both are PostgreSQL databases: db copy moves a store from a file to PostgreSQL, or back.',
      source.address.kind === 'file' ? 'Use backup and restore.' : 'Use pg_dump and pg_restore.',
    );
  return { source, target };
}

export const copyDatabase = defineCommand({
  name: 'copy',
  description: 'Copy a store from a file to PostgreSQL, or back, and compare both',
  build: (command) =>
    command
      .option('--from <address>', 'the store to copy, file:PATH or postgres://... (default: TOPUP_STORE)')
      .option('--to <address>', 'the empty database, or the file that does not exist (default: TOPUP_STORE)')
      .option('--restart', 'delete an unfinished copy and begin again'),
  help: `Stop all servers first. The old store stays as it is, and the copy becomes a
store only when it is complete and equal. Run the same command again to continue
a copy that was stopped. An address on the command line is visible to others on
the machine: one with a password is better in TOPUP_STORE or TOPUP_STORE_FILE.`,
  example: 'db copy --from file:./data/topup.db --to postgres://db.internal/topup',
  async run(context, { restart, ...options }) {
    const { source, target } = await findStores(context, options);
    const copied = await onCopy(context.io, async () => {
      const { copyStore } = await import('@topup-kit/server');
      return withProgress(context, 'Opening both stores', (report) =>
        copyStore(source.address, target.address, {
          restart,
          signal: context.io.signal,
          onProgress: (progress) => report(progressWords(progress)),
        }),
      );
    });
    const names = { from: source.path, to: target.path };
    await context.print({
      document: { ...names, resumed: copied.resumed, tables: copied.tables },
      screen: (style) => copyScreen(names, copied, style),
    });
    context.remark(
      '\nCopied and compared: both stores are equal. Start servers on the new one only, and\nkeep the old one until nothing is missing.',
    );
    await verifyAfterwards(
      context,
      target.address,
      onSameStore(context, options.to === undefined ? {} : { store: options.to }),
    );
  },
});
