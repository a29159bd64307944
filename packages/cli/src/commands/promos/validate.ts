import type { PromoValidationRequest } from '@topup-kit/sdk';
import type { Command } from 'commander';
import { connect } from '../../client.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { type Problem, usageProblem } from '../../errors/cli-error.ts';
import { suggestSlugs } from '../../errors/suggest-slugs.ts';
import { readSlug, wholeNumber } from '../../input/arguments.ts';
import { money } from '../../output/format.ts';
import { list } from '../../output/table.ts';
import { slugWord } from '../../output/text.ts';
import { sameService } from '../../service/connection.ts';

interface Options {
  game?: string;
  product?: number;
  paymentMethod?: number;
  whatsapp?: string;
}

/** What the question takes is told all at once. */
function incomplete({ game, product, paymentMethod }: Options, context: CommandContext): Problem {
  const flags = { '--game': game, '--product': product, '--payment-method': paymentMethod };
  const missing = Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [flag] : []));
  return usageProblem(
    `promos validate also takes ${missing.join(', ')}.`,
    `This lists a game's products and the ways to pay:\n  ${sameService(context, `games show ${slugWord(game)}`)}`,
  );
}

function readRequest(code: string, options: Options, context: CommandContext): PromoValidationRequest {
  const { game, product, paymentMethod, whatsapp } = options;
  if (game === undefined || product === undefined || paymentMethod === undefined)
    throw incomplete(options, context);
  return {
    code,
    game_slug: game,
    product_id: product,
    payment_method_id: paymentMethod,
    ...(whatsapp !== undefined && { whatsapp }),
  };
}

async function validate(code: string, options: Options, context: CommandContext): Promise<void> {
  const request = readRequest(code, options, context);
  const game = request.game_slug;
  const service = await connect(context);
  const answer = await suggestSlugs(service, game, () =>
    service.ask((client, rest) => client.promos.validate(request, rest), { game }),
  );
  const { promo, pricing } = answer.data;
  const { discount_type, discount_value } = promo;
  await context.print({
    document: answer,
    screen: (look) =>
      list(
        [
          ['Code', promo.code, 'title'],
          ['Off', `${discount_type === 'PERCENT' ? `${discount_value} %` : money(discount_value)} per item`],
          ['Price', money(pricing.base_price)],
          ['Discount', money(-pricing.discount)],
          ['Then', money(pricing.final_price), 'good'],
        ],
        look,
      ),
  });
}

export const defineValidate: Define = (promos, io) => {
  const command = promos
    .command('validate')
    .description('Ask the service what a promo code takes off a product; nothing is used up')
    .argument('<code>', 'code of the promo')
    .option('--game <slug>', 'slug of the game (needed)', readSlug)
    .option('--product <id>', 'id of the product (needed)', wholeNumber)
    .option('--payment-method <id>', 'id of the way to pay (needed)', wholeNumber)
    .option('--whatsapp <phone>', "orderer's phone number, for codes that one may use so many times")
    .action((code: string, options: Options, self: Command) => validate(code, options, contextOf(io, self)));
  addExample(
    command,
    io,
    'promos validate RAMADAN10 --game mobile-legends --product 901 \\\n    --payment-method 12',
  );
};
