import type { CopiedStore, CopyError, CopyErrorCode, StoreCopyProgress } from '@topup-kit/server/internal';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { CliError, type ExitCode, exitCodes, stopCodeOf, usageError } from '../../errors/cli-error.ts';
import { grouped } from '../../output/format.ts';
import { withProgress } from '../../output/progress.ts';
import type { OutputStyle } from '../../output/style.ts';
import { type Column, list, table } from '../../output/table.ts';
import { findStore, onSameStore } from '../../store/open.ts';
import { onStoreFile } from './store-file.ts';
import { verifyAfterwards } from './verify.ts';

const { rejected, failure } = exitCodes;

/** Error code, exit code and next step for each problem. */
const kinds: Record<CopyErrorCode, readonly [code: string, exitCode: ExitCode, hint: string]> = {
  served: [
    'STORE_SERVED',
    rejected,
    'Stop all servers of the store, and copy it then. A killed server counts as stopped after ten seconds.',
  ],
  not_empty: [
    'STORE_NOT_EMPTY',
    rejected,
    'Nothing was changed. Copy it to an empty database, or to a file that does not exist.',
  ],
  other_copy: [
    'STORE_NOT_EMPTY',
    rejected,
    'Nothing was changed. Run the earlier copy command again to continue it, or delete the copy with --restart.',
  ],
  changed: ['STORE_CHANGED', failure, "Stop all servers and operators' commands, and run the copy again."],
  in_use: ['STORE_IN_USE', rejected, 'Wait until it has ended.'],
};

function explained(error: unknown, CopyFailure: typeof CopyError, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted && error === signal.reason)
    return new CliError('Stopped. Run the same command again to continue.', {
      code: 'ABORTED',
      exitCode: stopCodeOf(error),
    });
  if (!(error instanceof CopyFailure)) return error;
  const [code, exitCode, hint] = kinds[error.problem];
  return new CliError(error.message, { code, exitCode, hint, cause: error });
}

const barWidth = 20;

/** Formats the progress: `Copying █████░░░░░░░░░░░░░░░ 25 %`. */
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
  const details = list(
    [
      ['From', names.from],
      ['To', names.to],
    ],
    style,
  );
  return `${details}\n${table(columns, rows, { ...style, indent: 2 })}`;
}

/** Finds both stores. The store without a flag is the one that other commands use. */
async function findStores(context: CommandContext, { from, to }: { from?: string; to?: string }) {
  if (from === undefined && to === undefined)
    throw usageError('db copy needs the other store: --from, --to or both.');
  const find = (store: string | undefined, flag: string) =>
    findStore(context, { flag, ...(store !== undefined && { store }) });
  const [source, target] = [await find(from, '--from'), await find(to, '--to')];
  if (source.address.kind === target.address.kind) {
    const [stores, tools] =
      source.address.kind === 'file'
        ? ['store files', 'backup and restore']
        : ['PostgreSQL databases', 'pg_dump and pg_restore'];
    throw usageError(
      `Both are ${stores}: db copy moves a store from a file to PostgreSQL, or back.`,
      `Use ${tools}.`,
    );
  }
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
  help: `Stop all servers first. The old store stays unchanged, and the copy becomes a
store only when it is complete and equal. Run the same command again to
continue a stopped copy. Other users of the machine can see the command line,
so put an address with a password into TOPUP_STORE or TOPUP_STORE_FILE.`,
  example: 'db copy --from file:./data/topup.db --to postgres://db.internal/topup',
  async run(context, { restart, ...options }) {
    const { source, target } = await findStores(context, options);
    const { signal } = context.io;
    const server = await import('@topup-kit/server/internal');
    const copied = await onStoreFile(
      context.io,
      { missing: 'Check the name of the store with --from.' },
      () =>
        withProgress(context, 'Opening both stores', (report) =>
          server.copyStore(source.address, target.address, {
            restart,
            signal,
            onProgress: (progress) => report(progressWords(progress)),
          }),
        ).catch((error: unknown) => {
          throw explained(error, server.CopyError, signal);
        }),
    );
    const names = { from: source.path, to: target.path };
    await context.print({
      document: { ...names, resumed: copied.resumed, tables: copied.tables },
      screen: (style) => copyScreen(names, copied, style),
    });
    context.remark(
      '\nCopied and compared: both stores are equal. Start servers only on the new store, and\nkeep the old store until you have checked the new one.',
    );
    await verifyAfterwards(
      context,
      target.address,
      onSameStore(context, options.to === undefined ? {} : { store: options.to }),
    );
  },
});
