import type { Command } from 'commander';
import { chooseProfile } from '../../config/resolve.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { exitCodes, Problem } from '../../errors/cli-error.ts';
import { withProgress } from '../../output/progress.ts';
import { besideInterface, chooseBaseUrl, invalidBaseUrl, parseBaseUrl } from '../../service/connection.ts';
import { reach } from '../../service/probe.ts';
import { type Options, printOption, showPage } from './show-page.ts';

/** Without a key: documentation needs none. */
async function findDocs(context: CommandContext): Promise<string> {
  const { value, source } = chooseBaseUrl(context, chooseProfile(context));
  const base = parseBaseUrl(value);
  if (!base) throw invalidBaseUrl({ urlSource: source });
  const url = `${besideInterface(base)}/docs`;
  const reached = await withProgress(context, `Asking ${url}`, () => reach(new URL(url), context.io));
  if ('silence' in reached)
    throw new Problem(reached.silence.found, {
      code: 'NETWORK_ERROR',
      exitCode: exitCodes.network,
      hint: reached.silence.fix,
    });
  if (reached.answer.status === 200) return url;
  throw new Problem(`There is no documentation at ${url} (status ${reached.answer.status}).`, {
    code: 'NO_DOCS',
    exitCode: exitCodes.notFound,
    hint: 'Servers of this kit have it there; of another service, ask whoever runs it.',
  });
}

export const defineDocs: Define = (open, io) => {
  const command = open
    .command('docs')
    .description('Open the documentation of the service')
    .option(...printOption)
    .action(async (options: Options, self: Command) =>
      showPage(await findDocs(contextOf(io, self)), options, contextOf(io, self)),
    );
  addExample(command, io, 'open docs');
};
