import type { PromoValidationRequest } from '@topup-kit/sdk';
import type { Command } from 'commander';
import { addExample, slugWord } from '../../command-line.ts';
import { type Problem, usageProblem } from '../../errors/problem.ts';
import { suggestSlugs } from '../../errors/suggest-slugs.ts';
import type { Io } from '../../io.ts';
import { money } from '../../output/money.ts';
import { print } from '../../output/print.ts';
import { list } from '../../output/table.ts';
import { connect } from '../../service/client.ts';
import { sameService } from '../../service/connection.ts';
import type { Define } from '../define.ts';
import { readSlug } from '../path-argument.ts';
import { wholeNumber } from '../whole-number.ts';

interface Options {
  game?: string;
  product?: number;
  paymentMethod?: number;
  whatsapp?: string;
}

/** What the question takes is told all at once. */
function incomplete({ game, product, paymentMethod }: Options, io: Io, command: Command): Problem {
  const flags = { '--game': game, '--product': product, '--payment-method': paymentMethod };
  const missing = Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [flag] : []));
  return usageProblem(
    `promos validate also takes ${missing.join(', ')}.`,
    `This lists a game's products and the ways to pay:\n  ${sameService(io, command, `games show ${slugWord(game)}`)}`,
  );
}

function readRequest(code: string, options: Options, io: Io, command: Command): PromoValidationRequest {
  const { game, product, paymentMethod, whatsapp } = options;
  if (game === undefined || product === undefined || paymentMethod === undefined)
    throw incomplete(options, io, command);
  return {
    code,
    game_slug: game,
    product_id: product,
    payment_method_id: paymentMethod,
    ...(whatsapp !== undefined && { whatsapp }),
  };
}

async function validate(code: string, options: Options, io: Io, command: Command): Promise<void> {
  const request = readRequest(code, options, io, command);
  const game = request.game_slug;
  const service = await connect(io, command);
  const answer = await suggestSlugs(service, game, () =>
    service.ask((client, rest) => client.promos.validate(request, rest), { game }),
  );
  const { promo, pricing } = answer.data;
  const { discount_type, discount_value } = promo;
  await print(io, command, {
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
    .action((code: string, options: Options, self: Command) => validate(code, options, io, self));
  addExample(
    command,
    io,
    'promos validate RAMADAN10 --game mobile-legends --product 901 \\\n    --payment-method 12',
  );
};
