import { defineCommand } from '../define-command.ts';
import { version } from '../version.ts';

/** The same as `--version`, which most people try second. */
export const versionCommand = defineCommand({
  help: '`topup --version` and `topup -v` do the same.',
  example: 'version --json',
  run: (context) => context.print({ document: { version }, screen: () => `${version}\n` }),
});
