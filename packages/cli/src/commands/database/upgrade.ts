import { defineCommand } from '../../define-command.ts';
import { confirm, yesOption } from '../../input/prompts.ts';
import { withProgress } from '../../output/progress.ts';
import { factList } from '../../output/table.ts';
import { findStore, isModeAsked, onSameStore, storeOption } from '../../store/open.ts';
import { copyWords, onStoreFile } from './store-file.ts';
import { verifyAfterwards } from './verify.ts';

const hints = {
  missing: 'Use another store with --store or TOPUP_STORE.',
  damaged:
    'Nothing was changed. To find out more, run `topup db status --check` of the version that wrote it.',
  disk_full: 'Free some space, and try again.',
  served_already:
    'Nothing was changed. Stop the server, upgrade the store, and start this version of the server.',
} as const;

const keptWords =
  ' The previous version can restore the copy at the path above. Delete it\nwhen you have checked that nothing is missing.';

export const upgradeDatabase = defineCommand({
  name: 'upgrade',
  description: 'Upgrade a store to the current format; copies a store file first',
  build: (command) => command.option(...storeOption).option(...yesOption),
  help: `A server also upgrades its store when it starts. The command first copies a
store file to a verified file next to it, with format and time in its name; the
previous version can restore it. Stop the file's server first. A database is
not copied, so make a backup with pg_dump; its servers can keep running.`,
  example: 'db upgrade',
  async run(context, options) {
    const { io } = context;
    const { address, path, mode } = await findStore(context, options);
    const { readDatabaseInfo, upgradeStore } = await import('@topup-kit/server/internal');
    if (address.kind === 'postgres' && !options.yes) {
      const { formatVersion, newestFormat } = await readDatabaseInfo(address.url);
      if (formatVersion < newestFormat)
        await confirm(context, {
          yes: undefined,
          consequence: `An upgrade of ${path} from format ${formatVersion} to ${newestFormat} can't be undone, and makes no copy. To make a copy: pg_dump --format custom --file topup-format-${formatVersion}.dump URL.`,
        });
    }
    const upgrade = await onStoreFile(io, hints, () =>
      withProgress(context, 'Upgrading', (report) =>
        upgradeStore(address, {
          mode: isModeAsked(io, {}) ? mode : undefined,
          signal: io.signal,
          onProgress: (progress) => report(copyWords(progress)),
        }),
      ),
    );
    await context.print({
      document: {
        store: path,
        upgraded: upgrade !== null,
        from_format: upgrade?.from ?? null,
        to_format: upgrade?.to ?? null,
        kept_at: upgrade?.copy ?? null,
      },
      ids: [path],
      screen: factList([
        ['Store', path],
        ['Format', upgrade === null ? 'the newest already' : `${upgrade.to}, was ${upgrade.from}`],
        ['Kept', upgrade?.copy ?? null],
      ]),
    });
    if (!upgrade) return;
    context.remark(`\nUpgraded.${upgrade.copy === null ? '' : keptWords}`);
    await verifyAfterwards(context, address, onSameStore(context, options));
  },
});
