import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AlertDescription } from '@topup-kit/core/engine';
import type { PostgresErrorCode, StoreFileErrorCode } from '@topup-kit/server/internal';
import type { CommandContext } from '../../context.ts';
import { counted, money, namesAndMore, readableTime } from '../../output/format.ts';
import { printable } from '../../output/text.ts';
import { updateHint, upgradeHints } from '../../service/hints.ts';
import { chooseStore, findStore, onSameStore } from '../../store/open.ts';
import { accessHint, type Inspected, upkeep } from '../database/store-file.ts';
import { type Check, type Finding, failed, good, skipped, warning } from './check.ts';
import { roomChecks } from './room-checks.ts';

/** Describes the keys. A sandbox needs no key in its store, because its own machine can use the well-known key. */
const keysWords = ({ activeKeys, mode }: Inspected): string =>
  mode === 'sandbox'
    ? `${activeKeys === 0 ? 'no key' : counted(activeKeys, 'key')} in addition to the well-known one`
    : counted(activeKeys, 'active key');

function judged(path: string, inspection: Inspected, topup: (args: string) => string): Check {
  const { orders, overdue } = inspection;
  const servers = 'servers' in inspection ? inspection.servers.length : Number(inspection.server !== null);
  const run = servers === 0 ? 'no server runs' : servers === 1 ? 'a server runs' : `${servers} servers run`;
  const finding = [
    // Only a file is read completely, and so checked for damage.
    `${path} ${'servers' in inspection ? 'responds' : 'is intact'}: ${counted(orders, 'order')}, ${keysWords(inspection)}`,
    `${run} on it`,
    ...(overdue > 0 && servers === 0 ? [`${counted(overdue, 'task')} overdue`] : []),
  ].join('; ');
  const lines = upkeep(inspection, topup);
  return lines.length === 0 ? good('store', finding) : warning('store', finding, lines.join('\n'));
}

/** Minimum free disk space for changes of a store, in bytes. */
const leastRoom = 4 * 1_048_576;

/** Checks the free disk space for changes of a store file. There is no check if there is enough space. */
export function checkRoom(path: string, stat: typeof statfsSync = statfsSync): Check[] {
  const folder = dirname(path);
  const { bavail, bsize } = stat(folder);
  if (bavail * bsize >= leastRoom) return [];
  return [
    failed(
      'disk',
      `the disk of ${folder} is full: ${Math.floor((bavail * bsize) / 1_024)} kB are left, so the server accepts no orders`,
      'Free some space. The server then accepts orders again within seconds.',
    ),
  ];
}

/** Checks for keys that expire soon. There is no check if there are none. */
function checkExpiry({ expiringKeys }: Inspected, topup: (args: string) => string): Check[] {
  const [first] = expiringKeys.toSorted((a, b) => (a.expiresAt ?? 0) - (b.expiresAt ?? 0));
  if (!first) return [];
  const more = expiringKeys.length - 1;
  return [
    warning(
      'expiry',
      `key ${first.keyId} (${printable(first.name)}) expires ${readableTime(first.expiresAt ?? 0)}${more === 0 ? '' : `, and ${counted(more, 'other key')} within two weeks`}`,
      `Replace it, and give the new key to its user before then:\n${topup(`keys rotate ${first.keyId}`)}`,
    ),
  ];
}

type Alert = Inspected['alerts'][number];

/** Checks for open refunds. There is no check if there are none, or if an alert names them. */
function checkRefunds(
  { refundsToPay, amountToPay, alerts }: Inspected,
  topup: (args: string) => string,
): Check[] {
  if (refundsToPay === 0 || alerts.some(({ kind }) => kind === 'unpaid-refunds')) return [];
  const found = `${counted(refundsToPay, 'refund')} of ${money(amountToPay)} in total must be paid by hand`;
  return [warning('refunds', found, `Pay the customers back, and record each:\n${topup('refunds list')}`)];
}

type PendingItem = NonNullable<Alert['items']>[number];

/** Names a pending item so that it can be found at its supplier: `INV-1-2-1 at {supplier} (product ML86)`. */
const itemWords = ({ reference, supplier, supplierId, productCode }: PendingItem): string =>
  `${reference} at ${supplier ?? 'the supplier'} (${supplierId === null ? '' : `its own id ${printable(supplierId)}, `}product ${printable(productCode)})`;

/** Placeholder in an alert's advice, which its first name replaces. */
const placeholder = /<(order-id|payment|refund|callback-id|endpoint-id)>/g;

/** Adds the names of an alert to its sentence, unless the sentence already contains them. */
function checkAlert(
  { kind, names, subjects, count, sentence, items = [] }: Alert,
  { advice, check, commands }: AlertDescription,
  topup: (args: string) => string,
): Finding {
  const checkOf = (found: string, [first = '']: readonly string[]): Check => {
    const help = commands.map((command) => topup(command.replaceAll(placeholder, first)));
    const look = items.map((item) => `Look for ${itemWords(item)}`);
    return failed(check, found, [advice.en, ...look, ...help, topup(`runbook ${kind}`)].join('\n'));
  };
  const finding = sentence.includes(names[0] ?? '') ? sentence : `${sentence}: ${namesAndMore(names, count)}`;
  const whole = checkOf(finding, names);
  const only = (some: readonly string[]): Check =>
    // If one action solves all problems, the sentence lists the waiting items instead of the subjects.
    names[0] !== subjects[0] || some.length === subjects.length
      ? whole
      : checkOf(`${sentence}; new: ${namesAndMore(some.slice(0, names.length), some.length)}`, some);
  return { ...whole, about: { names: subjects, only } };
}

async function findings(path: string, inspection: Inspected, context: CommandContext): Promise<Finding[]> {
  const { alertDescriptions } = await import('@topup-kit/core/engine');
  const topup = onSameStore(context, {});
  return [
    judged(path, inspection, topup),
    ...checkExpiry(inspection, topup),
    ...(await Promise.all(Object.values(roomChecks).map((look) => look(inspection, context.io)))).flat(),
    ...checkRefunds(inspection, topup),
    ...inspection.alerts.map((alert) => checkAlert(alert, alertDescriptions[alert.kind], topup)),
  ];
}

const byBackup = 'Restore a damaged store from a backup; see `topup restore --help`.';

/** Advice for an unreadable file; null if the message contains it. */
const fileFixes: Partial<Record<StoreFileErrorCode, string | null>> = {
  not_writable: accessHint,
  needs_upgrade: upgradeHints.file,
  newer_version: updateHint,
  too_many_files: null,
};

const databaseFixes: Partial<Record<PostgresErrorCode, string>> = {
  needs_upgrade: upgradeHints.postgres,
  newer_version: updateHint,
};

async function lookAt(path: string, context: CommandContext): Promise<Check | Finding[]> {
  const { inspectStore, StoreFileError } = await import('@topup-kit/server/internal');
  try {
    const inspection = await inspectStore(path, { check: 'quick', signal: context.io.signal });
    return [...checkRoom(path), ...(await findings(path, inspection, context))];
  } catch (error) {
    if (!(error instanceof StoreFileError)) throw error;
    const { problem, message } = error;
    const fix = fileFixes[problem];
    return failed('store', message, fix === undefined ? byBackup : fix);
  }
}

async function lookAtDatabase(
  path: string,
  url: string,
  context: CommandContext,
): Promise<Check | Finding[]> {
  const { inspectDatabase, PostgresError } = await import('@topup-kit/server/internal');
  try {
    return await findings(path, await inspectDatabase(url), context);
  } catch (error) {
    if (!(error instanceof PostgresError)) throw error;
    return failed('store', error.message, databaseFixes[error.problem] ?? null);
  }
}

/** Checks the store of operators' commands, and lists everything that waits for an operator. */
export async function checkStore(context: CommandContext): Promise<Check | Finding[]> {
  const { value, origin, source } = chooseStore(context, undefined);
  if (value === 'memory:') return skipped('store', `${value} is inside a server's process`);
  const { address, path } = await findStore(context, {});
  if (address.kind === 'postgres') return lookAtDatabase(path, address.url, context);
  if (existsSync(path)) return lookAt(path, context);
  if (origin === 'default') return skipped('store', `no ${path}; only operators' commands need a store`);
  return warning(
    'store',
    `there is no ${path}, which ${source} names`,
    'Start a server on it, or use another with --store or TOPUP_STORE.',
  );
}
