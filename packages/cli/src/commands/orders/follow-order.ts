import type { Service } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { exitCodes, Problem } from '../../errors/cli-error.ts';
import { shellWord } from '../../output/text.ts';
import type { Made } from './placing.ts';

/** Where to look when the service itself doesn't tell. */
const onItsPage = (pageUrl: string | null): string | undefined =>
  pageUrl ? `What becomes of it is on its page:\n  ${pageUrl}` : undefined;

/** A watch of an order that was just made: it is there, whatever the service tells of it. */
function unwatched(error: unknown, { orderId, pageUrl }: Made): unknown {
  if (!(error instanceof Problem) || error.details.code !== 'STATUS_UNAVAILABLE') return error;
  return new Problem(`${orderId} was made, but this service doesn't tell its state.`, {
    ...error.details,
    exitCode: exitCodes.unknownOutcome,
    hint: onItsPage(pageUrl),
  });
}

/** Says how to see what becomes of an order, or shows it right away. */
export async function followOrder(
  { service, ...made }: Made & { service: Service },
  watch: boolean,
  context: CommandContext,
): Promise<void> {
  const { orderId, pageUrl, showsNone } = made;
  if (watch) {
    context.remark('');
    const { watchOrder } = await import('./watch-order.ts');
    return watchOrder({ orderId, until: 'final', timeout: undefined }, service, context).catch(
      (error: unknown) => {
        throw unwatched(error, made);
      },
    );
  }
  const next = service.commandLine(`orders watch ${shellWord(orderId)}`);
  const how = showsNone ? onItsPage(pageUrl) : `To see what becomes of it:\n  ${next}`;
  if (how !== undefined) context.remark(`\n${how}`);
}
