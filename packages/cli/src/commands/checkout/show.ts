import type { Command } from 'commander';
import { connect } from '../../client.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { readSlug } from '../../input/arguments.ts';
import { shellWord } from '../../output/text.ts';
import { checkoutScreen } from './checkout-screen.ts';
import { readCheckout } from './read-checkout.ts';

async function showCheckout(slug: string, context: CommandContext): Promise<void> {
  const service = await connect(context);
  const answer = await readCheckout(service, slug);
  await context.print({
    document: answer,
    ids: [answer.game.slug],
    screen: (look) => checkoutScreen(answer, look),
  });
  if (!answer.game.status) return context.remark('\nThe game is closed: it can be looked at, not ordered.');
  const next = service.commandLine(`orders create --game ${shellWord(answer.game.slug)}`);
  context.remark(`\nTo order, at a terminal, which asks for the rest:\n  ${next}`);
}

export const defineShow: Define = (checkout, io) => {
  const show = checkout
    .command('show')
    .description('Show what an order of a game takes: the account, what is open to buy, and the ways to pay')
    .argument('<slug>', 'slug of the game, such as mobile-legends', readSlug)
    .action((slug: string, _options: object, command: Command) => showCheckout(slug, contextOf(io, command)));
  addExample(show, io, 'checkout show mobile-legends');
};
