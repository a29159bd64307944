import { existsSync } from 'node:fs';
import type {
  BackupInfo,
  CopyOptions,
  OpenOrder,
  RestoreResult,
  StoreFileErrorCode,
  StoreInfo,
} from '@topup-kit/server/internal';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { operatorName, operatorOption } from '../../input/operator.ts';
import { confirm, dryRunOption, yesOption } from '../../input/prompts.ts';
import { counted, grouped } from '../../output/format.ts';
import { withProgress } from '../../output/progress.ts';
import { type OutputStyle, statusStyle, styleOf } from '../../output/style.ts';
import { type ColumnOf, type Fact, list, table, tableOf } from '../../output/table.ts';
import { printable } from '../../output/text.ts';
import { chooseStoreFile, onSameStore, storeOption } from '../../store/open.ts';
import { copyWords, factLines, factsDocument, newestOrder, onStoreFile } from './store-file.ts';
import { verifyAfterwards } from './verify.ts';

/** Store or file that a restore would replace. */
type Present = { is: 'store'; facts: StoreInfo } | { is: 'nothing' } | { is: 'unreadable' };

const unreadable: readonly StoreFileErrorCode[] = ['damaged', 'not_a_store', 'newer_version', 'replaced'];

/** Reads what a restore would replace. A damaged store is not an error here, because backups are meant to replace it. */
async function readPresent(path: string): Promise<Present> {
  const { readStoreInfo, StoreFileError } = await import('@topup-kit/server/internal');
  try {
    return { is: 'store', facts: await readStoreInfo(path) };
  } catch (error) {
    if (!(error instanceof StoreFileError)) throw error;
    // A log without its file is the remainder of a store.
    if (error.problem === 'missing') return { is: existsSync(`${path}-wal`) ? 'unreadable' : 'nothing' };
    if (unreadable.includes(error.problem)) return { is: 'unreadable' };
    throw error;
  }
}

export interface Plan {
  file: string;
  backup: BackupInfo;
  path: string;
  present: Present;
}

const columns = [{}, { title: 'STORE NOW' }, { title: 'BACKUP' }];

export function comparison({ backup, present }: Plan, style: OutputStyle): string {
  const now = present.is === 'store' ? factLines(present.facts) : [];
  const rows = factLines(backup).map(([label, value], index) => [
    label,
    now[index]?.[1] ?? present.is,
    value ?? '',
  ]);
  return table(columns, rows, { ...style, indent: 2 });
}

const inWords = (store: Pick<BackupInfo, 'orders' | 'newestOrderAt' | 'display'>): string =>
  `orders: ${grouped(store.orders)}, newest: ${newestOrder(store)}`;

function presentWords({ path, present }: Plan): string {
  if (present.is === 'nothing') return `${path}, where there is no store`;
  return `the store ${path} (${present.is === 'store' ? inWords(present.facts) : 'unreadable'})`;
}

export const consequence = (plan: Plan): string =>
  `A restore puts the backup ${plan.file} (${inWords(plan.backup)}) in place of ${presentWords(plan)}.`;

/** Returns reasons to hesitate, which are shown before the confirmation. */
export function warnings({ backup, present }: Plan): string[] {
  const mode = present.is === 'store' ? present.facts.mode : null;
  const otherMode = mode !== null && backup.mode !== null && mode !== backup.mode;
  return [
    ...(backup.sealed
      ? []
      : ['The backup has no checksum, so it is a plain copy and not from `topup backup`.']),
    ...(otherMode ? [`The backup comes from a ${backup.mode} store, but the store is a ${mode} store.`] : []),
  ];
}

/** Describes the replaced store and the new one, also for a dry run. */
export const restoreDocument = ({ file, backup, path, present }: Plan) => ({
  file,
  store: path,
  replaced: present.is === 'store' ? factsDocument(present.facts) : null,
  restored: { bytes: backup.bytes, has_checksum: backup.sealed, ...factsDocument(backup) },
});

interface Files {
  file: string;
  path: string;
  operator: string;
}

const hints = {
  missing: 'Check the name of the backup.',
  damaged: 'Nothing was changed. Use another backup.',
  own_file: 'Nothing was changed. Give a backup, and with --store the store to replace.',
  unfinished: 'Nothing was changed. Restore a backup of it instead: see `topup backup --help`.',
  not_a_store: 'Nothing was changed. Check the names of the backup and of the store.',
  served_already: 'Nothing was changed. Stop the server, restore, and start it again.',
} as const;

const withBackup = <Value>(
  context: CommandContext,
  words: string,
  work: (server: typeof import('@topup-kit/server/internal'), options: CopyOptions) => Promise<Value>,
): Promise<Value> =>
  onStoreFile(context.io, hints, async () => {
    const server = await import('@topup-kit/server/internal');
    return withProgress(context, words, (report) =>
      work(server, { signal: context.io.signal, onProgress: (progress) => report(copyWords(progress)) }),
    );
  });

const makePlan = (context: CommandContext, { file, path }: Files): Promise<Plan> =>
  withBackup(context, 'Verifying', async ({ verifyBackup }, options) => ({
    file,
    path,
    backup: await verifyBackup(file, options),
    present: await readPresent(path),
  }));

async function printPlan(context: CommandContext, files: Files): Promise<void> {
  const plan = await makePlan(context, files);
  await context.print({
    document: { ...restoreDocument(plan), dry_run: true, kept_at: null, kept_files: [] },
    screen: (style) => comparison(plan, style),
  });
  const { findServer } = await import('@topup-kit/server/internal');
  const server = findServer(files.path);
  context.remark(
    [
      '\nThe backup is complete. Nothing was changed.',
      ...warnings(plan),
      ...(server ? [`A server (pid ${server.pid}) serves the store: stop it before you restore.`] : []),
    ].join('\n'),
  );
}

/** Compares store and backup before asking for confirmation. */
async function makeSure(context: CommandContext, files: Files): Promise<void> {
  await withBackup(context, 'Checking', async ({ assertNoServerRunning }) =>
    assertNoServerRunning(files.path),
  );
  const plan = await makePlan(context, files);
  if (context.promptTerminal) {
    context.io.stderr.write(`${comparison(plan, styleOf(context.io, context.io.stderr))}\n`);
    for (const warning of warnings(plan)) context.io.stderr.write(`${warning}\n`);
  }
  await confirm(context, { yes: undefined, consequence: consequence(plan) });
}

export function keptWords({ former, kept }: Pick<RestoreResult, 'former' | 'kept'>): string {
  if (kept.length === 0) return '';
  if (former === null)
    return ' The log of the old store is kept at\nthe path above. Delete it when you have checked that nothing is missing.';
  return kept.length === 1
    ? ' The old store is kept at the\npath above. Delete it when you have checked that nothing is missing.'
    : ' The old store and its log are kept at\nthe paths above. Delete them when you have checked that nothing is missing.';
}

const mostOpen = 20;

const openColumns: ColumnOf<OpenOrder>[] = [
  [{ title: 'OPEN IN THE BACKUP' }, ({ orderId }) => orderId],
  [{ title: 'THERE', style: statusStyle }, ({ state }) => state],
  [{ title: 'IN THE REPLACED STORE', style: statusStyle }, ({ replaced }) => replaced ?? 'not known'],
  [{ title: 'SERIAL NUMBER' }, ({ serialNumber }) => serialNumber ?? ''],
];

const openDocument = ({ orderId, state, replaced, serialNumber }: OpenOrder) => ({
  order_id: orderId,
  state,
  replaced_state: replaced,
  replaced_serial_number: serialNumber,
});

/** Explains to an operator what to do about orders that were open in the backup. */
function openWords(open: readonly OpenOrder[], topup: (args: string) => string): string {
  if (open.length === 0) return '';
  const more = open.length > mostOpen ? ` (--json lists all ${grouped(open.length)})` : '';
  return `
The server buys nothing automatically for the ${counted(open.length, 'order')} above${more}, because the items
may already have been bought. It checks their outcomes where a check buys nothing, and
raises an alert for the others. Ask the supplier what was delivered, then:
  ${topup('orders mark <order-id> --delivered --note <how you know>')}
  ${topup('orders mark <order-id> --failed --note <how you know>')}
After --failed, buy the items with orders retry, or pay the customer back with refunds
create. Do neither if the replaced store shows the order as delivered or refunded.`;
}

async function replaceStore(context: CommandContext, files: Files): Promise<void> {
  const { file, path, operator } = files;
  const present = await onStoreFile(context.io, hints, () => readPresent(path));
  const { former, kept, ...backup } = await withBackup(context, 'Restoring', ({ restoreStore }, options) =>
    restoreStore(file, path, { ...options, operator }),
  );
  const { findOpenOrders } = await import('@topup-kit/server/internal');
  const open = await onStoreFile(context.io, hints, () => findOpenOrders(path, former));
  const topup = onSameStore(context, { store: path });
  await context.print({
    document: {
      ...restoreDocument({ file, path, present, backup }),
      dry_run: false,
      kept_at: former,
      kept_files: kept,
      open_orders: open.map(openDocument),
    },
    ids: [path],
    screen: (style) =>
      [
        list(
          [
            ['Store', path],
            ...factLines(backup),
            ...kept.map((file, index): Fact => [index === 0 ? 'Kept' : '', file]),
          ],
          style,
        ),
        ...(open.length === 0
          ? []
          : ['', tableOf(openColumns, open.slice(0, mostOpen), { ...style, indent: 2 })]),
      ].join('\n'),
  });
  context.remark(
    `\nRestored from ${printable(file)}.${keptWords({ former, kept })}${openWords(open, topup)}`,
  );
  await verifyAfterwards(context, { kind: 'file', path }, topup);
}

export const noun = defineCommand({
  build: (command) =>
    command
      .argument('<file>', 'the backup')
      .option(...operatorOption)
      .option(...yesOption)
      .option(...dryRunOption)
      .option(...storeOption),
  help: `Stop the server first. The command verifies the backup before any change, and
keeps the old store next to the new one.`,
  example: 'restore topup-friday.db --dry-run',
  async run(context, options, file) {
    const operator = operatorName(context.io, options.operator);
    const path = await chooseStoreFile(context, options);
    const files = { file, path, operator };
    const { assertBackupIsNotStore } = await import('@topup-kit/server/internal');
    await onStoreFile(context.io, hints, async () => assertBackupIsNotStore(file, path));
    if (options.dryRun) return printPlan(context, files);
    if (!options.yes) await makeSure(context, files);
    await replaceStore(context, files);
  },
});
