import { it } from 'vitest';
import { speakAgain } from '../../../soak/upgrade/index.ts';
import { formats } from './formats/formats.ts';
import { hasCommit } from './helpers/old-version.ts';
import { tempFolder } from './helpers/store-file.ts';

// `pnpm soak upgrade` does so with all forms.
for (const format of formats.filter(({ name }) =>
  ['sqlite-1a', 'sqlite-4b', 'sqlite-5g', 'sqlite-8'].includes(name),
))
  it.skipIf(!hasCommit(format.commit))(
    `serves the copy of ${format.name} before its upgrade with the version that wrote it (needs the history of the repository)`,
    async () => {
      const folder = tempFolder();
      // Throws when it says anything else.
      await speakAgain(format, folder, `${folder}/versions`);
    },
    60_000,
  );
