import type { CheckoutAnswer, GameDetail } from '@topup-kit/sdk';
import type { Command } from 'commander';
import { connect, type Service } from '../../client.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { readSlug } from '../../input/arguments.ts';
import { shellWord } from '../../output/text.ts';
import { readCheckout } from '../checkout/read-checkout.ts';
import { gameScreen } from './game-screen.ts';

/** The flags for what an order's target needs, to be filled in. */
const targetFlags = ({ fields }: GameDetail): string =>
  fields
    .filter(({ required }) => required)
    .map(({ name, label }) => `--${name} ${shellWord(`<${label}>`)}`)
    .join(' ');

function orderExample({ game, paymentMethods }: CheckoutAnswer, service: Service): string | undefined {
  const product = game.products.find(({ status }) => status);
  const method = paymentMethods.find(({ status }) => status);
  if (!game.status || !product || !method) return undefined;
  const slug = shellWord(game.slug);
  return service.commandLine(
    `orders create --game ${slug} \\\n` +
      `    --product ${product.id} --payment-method ${method.id} \\\n` +
      `    ${targetFlags(game)} --whatsapp '<phone>'`,
  );
}

async function showGame(slug: string, context: CommandContext): Promise<void> {
  const service = await connect(context);
  const answer = await readCheckout(service, slug);
  await context.print({
    document: answer,
    ids: [answer.game.slug],
    screen: (look) => gameScreen(answer, look),
  });
  const example = orderExample(answer, service);
  if (example !== undefined) context.remark(`\nTo order:\n  ${example}`);
}

export const defineShow: Define = (games, io) => {
  const show = games
    .command('show')
    .description('Show a game with its products, what an order needs and the ways to pay')
    .argument('<slug>', 'slug of the game, such as mobile-legends', readSlug)
    .action((slug: string, _options: object, command: Command) => showGame(slug, contextOf(io, command)));
  addExample(show, io, 'games show mobile-legends');
};
