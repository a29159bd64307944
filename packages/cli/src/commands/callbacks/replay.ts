import type { StoredCallback } from '@topup-kit/core/store';
import { defineCommand } from '../../define-command.ts';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import { confirm, dryRunOption, nothingChanged, yesOption } from '../../input/prompts.ts';
import { storeOption, withOperatorStore } from '../../store/open.ts';
import { callbackArgument, callbackDocument, findCallback } from './show.ts';

/** A sentence on whether a running server makes the replay. */
async function whoReplays(path: string): Promise<string> {
  const { findServer } = await import('@topup-kit/server');
  return findServer(path)
    ? 'The running server handles it within a second.'
    : 'No server runs on this store: it is handled when you start one.';
}

/** @throws CliError for a callback that can't be verified again. */
function rejectCut({ callbackId, provider, body, sentBytes }: StoredCallback): void {
  if (sentBytes === null) return;
  throw new CliError(
    `Only the first ${body.length} of the ${sentBytes} bytes of ${callbackId} were kept, so it can't be verified again.`,
    {
      code: 'CALLBACK_CUT',
      exitCode: exitCodes.rejected,
      hint: `If ${provider} sent it, let it send the callback again, from its dashboard.`,
    },
  );
}

export const replay = defineCommand({
  name: 'replay',
  description: 'Handle a callback again, as if its provider had sent it again',
  build: (command) =>
    command
      .argument(...callbackArgument)
      .option(...yesOption)
      .option(...dryRunOption)
      .option(...storeOption),
  example: 'callbacks replay cb_k3v9x2ma',
  asksService: false,
  run: (context, options, callbackId) =>
    withOperatorStore(context, options, async (operating) => {
      const { store, path, commandLine } = operating;
      const callback = await findCallback(callbackId, operating);
      rejectCut(callback);
      if (!options.dryRun) {
        const consequence = `${callbackId} will be verified and applied again, as if ${callback.provider} had sent it again.`;
        await confirm(context, { yes: options.yes, consequence });
        // A rejected callback may have made place for newer ones in the meantime: this throws the matching error.
        if ('conflict' in (await store.requestReplay(callbackId))) await findCallback(callbackId, operating);
      }
      await context.print({
        document: callbackDocument({ ...callback, replay: true }),
        ids: [callbackId],
        screen: () => `The replay of ${callbackId} ${options.dryRun ? 'would be' : 'is'} requested.\n`,
      });
      if (options.dryRun) return context.remark(nothingChanged);
      const next = commandLine(`callbacks show ${callbackId}`);
      context.remark(`${await whoReplays(path)} To see what came of it:\n  ${next}`);
    }),
});
