import { defineCommand } from '../define-command.ts';
import { version } from '../version.ts';

/** Prints the same as `--version`. */
export const noun = defineCommand({
  help: '`topup --version` and `topup -v` do the same.',
  example: 'version --json',
  run: (context) => context.print({ document: { version }, screen: () => `${version}\n` }),
});
