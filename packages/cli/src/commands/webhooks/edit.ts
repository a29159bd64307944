import { eventTypes } from '@topup-kit/core/contract';
import { defineCommand } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { eventsOption } from '../../input/event-types.ts';
import { confirm, dryRunOption, nothingChanged, yesOption } from '../../input/prompts.ts';
import { counted } from '../../output/format.ts';
import { storeOption, withOperatorStore } from '../../store/open.ts';
import { checkDescription, checkUrl, endpointDeps, typesFor } from './create.ts';
import {
  endpointArgument,
  endpointDocument,
  endpointMissing,
  endpointScreen,
  findEndpoint,
} from './endpoints.ts';

export const editWebhook = defineCommand({
  name: 'edit',
  description: 'Change a webhook, or disable and enable it',
  help: `While it is disabled, it is sent nothing, and events are not kept for it. What
was on its way goes on when it is enabled.`,
  build: (command) =>
    command
      .argument(...endpointArgument)
      .option('--url <url>', 'where events are sent from now on')
      .addOption(
        eventsOption('which events from now on, also separated by commas; all means every one', eventTypes),
      )
      .option('--description <text>', 'what you call it')
      .option('--enable', 'send it events again')
      .option('--disable', 'send it nothing')
      .option(...storeOption),
  example: 'webhooks edit ep_k3v9x2ma --events order.paid,order.failed',
  async run(context, options, endpointId) {
    const { url, events, description, enable, disable } = options;
    checkDescription(description);
    if (enable && disable) throw usageError('Give --enable or --disable, not both.');
    const isEmpty = [url, events, description, enable, disable].every((value) => value === undefined);
    if (isEmpty)
      throw usageError('Say what to change: --url, --events, --description, --enable or --disable.');
    await withOperatorStore(context, options, async (operating) => {
      const { accountId, disabled } = await findEndpoint(endpointId, operating);
      const types = events && typesFor(events, accountId);
      if (url !== undefined) await checkUrl(context, operating, url);
      const { engine, deps } = await endpointDeps(context, operating);
      const edited = await engine.editEndpoint(deps, endpointId, {
        ...(url !== undefined && { url }),
        ...(types && { types }),
        ...(description !== undefined && { description }),
        ...((enable || disable) && { enabled: enable === true }),
      });
      if ('conflict' in edited) throw endpointMissing(endpointId, operating);
      const pending = (await operating.store.countPendingWebhooks()).get(endpointId) ?? 0;
      await context.print({
        document: endpointDocument(edited, pending),
        ids: [endpointId],
        screen: (style) => endpointScreen(edited, pending, style),
      });
      if (enable && disabled !== null)
        context.remark('What happened while it was disabled is not sent: events were not kept for it.');
    });
  },
});

export const deleteWebhook = defineCommand({
  name: 'delete',
  description: 'Delete a webhook, and what is known of what it was sent',
  build: (command) =>
    command
      .argument(...endpointArgument)
      .option(...yesOption)
      .option(...dryRunOption)
      .option(...storeOption),
  example: 'webhooks delete ep_k3v9x2ma',
  run: (context, options, endpointId) =>
    withOperatorStore(context, options, async (operating) => {
      const { store } = operating;
      const endpoint = await findEndpoint(endpointId, operating);
      const pending = (await store.countPendingWebhooks()).get(endpointId) ?? 0;
      if (!options.dryRun) {
        const lost =
          pending === 0
            ? ''
            : `, and ${counted(pending, 'event')} on the way there ${pending === 1 ? 'is' : 'are'} not sent`;
        const consequence = `${endpointId} (${endpoint.url}) will be deleted for good${lost}.`;
        await confirm(context, { yes: options.yes, consequence });
        if ('conflict' in (await store.deleteWebhookEndpoint(endpointId)))
          throw endpointMissing(endpointId, operating);
      }
      await context.print({
        document: { ...endpointDocument(endpoint, pending), ...(options.dryRun && { dry_run: true }) },
        ids: [endpointId],
        screen: () => `${endpointId} ${options.dryRun ? 'would be' : 'is'} deleted.\n`,
      });
      if (options.dryRun) context.remark(nothingChanged);
    }),
});
