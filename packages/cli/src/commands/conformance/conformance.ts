import { writeFile } from 'node:fs/promises';
import type { ServiceDescription } from '@topup-kit/core/conformance';
import type { Command } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { exitCodes, Problem, QuietExit } from '../../errors/cli-error.ts';
import type { Io } from '../../io.ts';
import { jsonDocument } from '../../output/print.ts';
import { printable } from '../../output/text.ts';
import { chooseConnection } from '../../service/connection.ts';
import { countOf } from './counts.ts';
import { conformanceDocument } from './document.ts';
import { createPatience, type Patience, patienceMs } from './patient-fetch.ts';
import { reach } from './reach.ts';
import { readOrder } from './read-order.ts';
import { conformanceScreen } from './screen.ts';

interface Options {
  allowWrites?: true;
  order?: string;
  emitDialect?: string;
}

async function describe(
  options: Options,
  context: CommandContext,
  patience: Patience,
): Promise<ServiceDescription & { baseUrl: string }> {
  const { describeService } = await import('@topup-kit/core/conformance');
  const order = options.order === undefined ? undefined : await readOrder(options.order);
  const { baseUrl: given, apiKey } = await chooseConnection(context);
  const baseUrl = given.replace(/\/+$/, '');
  await reach(context, { baseUrl, apiKey, patience });
  const description = await describeService(
    { baseUrl, apiKey, fetch: patience.fetch },
    { writes: options.allowWrites === true, order, timeoutMs: patienceMs, signal: context.io.signal },
  );
  return { ...description, baseUrl };
}

async function emit(file: string, { dialect }: ServiceDescription): Promise<void> {
  try {
    await writeFile(file, jsonDocument(dialect));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Problem(`${file} can't be written: ${reason}.`, {
      code: 'FILE',
      exitCode: exitCodes.usage,
      cause: error,
    });
  }
}

/** A stop fails whatever was under way; what it left is no finding. */
function refuseStopped({ signal }: Io): void {
  if (!signal?.aborted) return;
  throw new Problem('Stopped before all was tried.', {
    code: 'ABORTED',
    exitCode: signal.reason === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted,
  });
}

/** Nor is what a rate limit kept from being tried. */
function refuseUnanswered(patience: Patience): void {
  if (!patience.gaveUp()) return;
  throw new Problem('The rate limit has not ended, so not all was tried.', {
    code: 'RATE_LIMITED',
    exitCode: exitCodes.rateLimited,
    hint: 'Wait a minute before you try again, or ask for a higher limit.',
  });
}

/** What was left out and why, and what was left behind. */
function remarks({ wrote, orders, unknown }: ServiceDescription, options: Options): string[] {
  const notWritten = options.allowWrites
    ? 'Only GET was sent: the service does not show what may be ordered. Say it with --order.'
    : 'Only GET was sent. --allow-writes also places orders, which are never paid.';
  const seen = unknown.length === 0 ? [] : [`Nothing was seen of ${unknown.join(', ')}.`];
  const placed = wrote ? `${orders} orders were placed; none is paid.` : notWritten;
  const emitted = options.emitDialect === undefined ? [] : [`Wrote the dialect to ${options.emitDialect}.`];
  return [...seen, placed, ...emitted].map(printable);
}

async function run(options: Options, context: CommandContext): Promise<void> {
  const patience = createPatience({
    signal: context.io.signal,
    onWait: () => context.remark('Waiting for the rate limit.'),
  });
  const description = await describe(options, context, patience).finally(() => {
    refuseStopped(context.io);
    refuseUnanswered(patience);
  });
  if (options.emitDialect !== undefined) await emit(options.emitDialect, description);
  await context.print({
    document: conformanceDocument(description),
    screen: (look) => conformanceScreen(description, look),
  });
  context.remark(`\n${remarks(description, options).join('\n')}`);
  if (countOf(description, 'interface').failed > 0) throw new QuietExit(exitCodes.failure);
}

export const defineConformance: Define = (conformance, io) => {
  conformance
    .option('--allow-writes', 'place orders too, about sixty; only GET is sent otherwise')
    .option('--order <file>', 'an order that the service takes, as JSON; made of what it shows when left out')
    .option(
      '--emit-dialect <file>',
      "write how the service fills the interface's silence, for mocks and tests",
    )
    .action((options: Options, command: Command) => run(options, contextOf(io, command)))
    .addHelpText(
      'after',
      '\nExits with 0 when the service keeps the interface, 1 when it departs from it.\nWhat this kit adds to the interface is told apart, and fails nothing.',
    );
  addExample(conformance, io, 'conformance --base-url https://shop.example/api --emit-dialect shop.json');
};
