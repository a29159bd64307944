import { defineCommand } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { orderIdArgument } from '../../input/arguments.ts';
import { operatorOption } from '../../input/operator.ts';
import { describingErrors } from '../../store/from-engine.ts';
import { storeOption } from '../../store/open.ts';
import { withOrder } from '../../store/order-id.ts';

const longest = 1_000;

function readNote(given: string): string {
  const text = given.trim();
  if (text !== '' && text.length <= longest) return text;
  throw usageError(`A note has 1 to ${longest} characters.`);
}

export const note = defineCommand({
  name: 'note',
  description: "Add a note to an order's history",
  build: (command) =>
    command
      .argument(...orderIdArgument)
      .argument('<text>', 'the note')
      .option(...operatorOption)
      .option(...storeOption),
  takesIds: true,
  help: 'Only operators see notes: orders show --history has them.',
  example: "orders note INV-20260329093000-ABCDEFGH 'called, waits for the code'",
  check: (_options, _id, given) => readNote(given),
  async run(context, options, id, given) {
    const text = readNote(given);
    await withOrder(context, options, id, async (operating, orderId) => {
      const { noteOrder } = await import('@topup-kit/core/engine');
      const act = { ...operating, orderId, event: 'marked' } as const;
      await describingErrors(act, () => noteOrder(operating.deps, orderId, text));
      await context.print({
        document: { order_id: orderId, by: operating.deps.operator, note: text },
        ids: [orderId],
        screen: () => `Added the note to ${orderId}.\n`,
      });
      context.remark(`To see it:\n  ${operating.commandLine(`orders show ${orderId} --history`)}`);
    });
  },
});
