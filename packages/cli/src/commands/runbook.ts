import { defineCommand } from '../define-command.ts';
import { runbookPage, sectionOf } from '../docs/docs.ts';
import { CliError, exitCodes } from '../errors/cli-error.ts';
import { programName } from '../io.ts';
import { table } from '../output/table.ts';

/** Removes links, which name pages of the repository that a terminal can't open. */
const plainText = (markdown: string): string =>
  markdown.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('**', '');

export const noun = defineCommand({
  build: (command) => command.argument('[alert]', 'name of the alert, such as failed-deliveries'),
  help: 'topup doctor, the log and events name alerts by these names.',
  example: 'runbook failed-deliveries',
  async run(context, _options, alert) {
    const { alertDescriptions } = await import('@topup-kit/core/engine');
    const kinds = Object.entries(alertDescriptions);
    if (alert === undefined)
      return context.print({
        document: { alerts: kinds.map(([kind, { advice }]) => ({ alert: kind, advice: advice.en })) },
        ids: kinds.map(([kind]) => kind),
        screen: (style) =>
          table(
            [{ title: 'ALERT' }, { title: 'WHAT TO DO', long: true }],
            kinds.map(([kind, { advice }]) => [kind, advice.en]),
            style,
          ),
      });
    const section = kinds.some(([kind]) => kind === alert) ? sectionOf(runbookPage, alert) : undefined;
    if (section === undefined)
      throw new CliError(`There is no alert ${alert}.`, {
        code: 'ALERT_NOT_FOUND',
        exitCode: exitCodes.notFound,
        hint: `This lists them:\n  ${programName(context.io)} runbook`,
      });
    await context.print({
      document: { alert, text: section },
      screen: () => `${plainText(section).replace(/^#+ /, '')}\n`,
    });
  },
});
