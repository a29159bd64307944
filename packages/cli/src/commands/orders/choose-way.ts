import type { CommandContext } from '../../context.ts';
import { exitCodes, Problem } from '../../errors/cli-error.ts';
import { type Choice, createPrompts } from '../../input/prompts.ts';
import type { BegunOrder } from '../../orders-state/begun-order.ts';
import { readableTime } from '../../output/format.ts';
import { lookFirst } from './unfinished-problems.ts';

/** Services keep a key for 24 hours; an hour less leaves room for clocks that differ. */
const keptFor = 23 * 60 * 60_000;
/** Clocks are set back a little now and then. */
const slack = 60_000;

/** Why an order must not be sent again with its key; undefined when it may be. */
function whyNot({ begun_at, api_key_hash }: BegunOrder, ownKeyHash: string): string | undefined {
  const age = Date.now() - Date.parse(begun_at);
  if (api_key_hash !== ownKeyHash) return 'It was begun with another API key, which has orders of its own.';
  if (age > keptFor || age < -slack)
    return 'That is too long ago: a service keeps an idempotency key for a day.';
  return undefined;
}

const declined = (): Problem =>
  new Problem('Nothing was ordered.', { code: 'DECLINED', exitCode: exitCodes.failure });

/** Asks what to do about an order that an earlier run began, or decides it where nobody can be asked. */
export async function chooseWay(
  order: BegunOrder,
  ownKeyHash: string,
  context: CommandContext,
): Promise<'finish' | 'another'> {
  const reason = whyNot(order, ownKeyHash);
  const begun = `This order was begun ${readableTime(order.begun_at)} and not finished`;
  const terminal = context.promptTerminal;
  if (!terminal) {
    if (reason !== undefined) throw lookFirst(`${begun}. ${reason}`, order);
    context.remark(`${begun}: finishing it with the same key, so that it is made once.`);
    return 'finish';
  }
  const finish: Choice<string> = { value: 'finish', label: 'Finish it', hint: 'the order is made once' };
  const way = await (await createPrompts(context.io, terminal)).choose(
    `${begun}.\n${reason ?? 'It may have been made, or not. What now?'}`,
    [
      ...(reason === undefined ? [finish] : []),
      { value: 'nothing', label: 'Nothing', hint: 'to look for it first' },
      { value: 'another', label: 'Place another order', hint: 'and forget that one' },
    ],
  );
  if (way === 'nothing') throw declined();
  context.io.stderr.write('\n');
  return way === 'finish' ? 'finish' : 'another';
}
