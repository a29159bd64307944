import type { PromoValidationRequest } from '@topup-kit/sdk';
import type { Command } from 'commander';
import { connect } from '../../client.ts';
import { addExample } from '../../command-line.ts';
import { suggestSlugs } from '../../errors/suggest-slugs.ts';
import type { Io } from '../../io.ts';
import { money } from '../../output/money.ts';
import { print } from '../../output/print.ts';
import { list } from '../../output/table.ts';
import type { Define } from '../define.ts';
import { wholeNumber } from '../whole-number.ts';

interface Options {
  game: string;
  product: number;
  paymentMethod: number;
  whatsapp?: string;
}

const requestOf = (code: string, options: Options): PromoValidationRequest => ({
  code,
  game_slug: options.game,
  product_id: options.product,
  payment_method_id: options.paymentMethod,
  ...(options.whatsapp !== undefined && { whatsapp: options.whatsapp }),
});

async function validate(code: string, options: Options, io: Io, command: Command): Promise<void> {
  const request = requestOf(code, options);
  const service = await connect(io, command);
  const answer = await suggestSlugs(service, options.game, () =>
    service.ask((client, rest) => client.promos.validate(request, rest)),
  );
  const { promo, pricing } = answer.data;
  const { discount_type, discount_value } = promo;
  await print(io, command, {
    document: answer,
    ids: [promo.code],
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
    .requiredOption('--game <slug>', 'slug of the game')
    .requiredOption('--product <id>', 'id of the product', wholeNumber)
    .requiredOption('--payment-method <id>', 'id of the way to pay', wholeNumber)
    .option('--whatsapp <phone>', "orderer's phone number, for codes that one may use so many times")
    .action((code: string, options: Options, self: Command) => validate(code, options, io, self));
  addExample(
    command,
    io,
    'promos validate RAMADAN10 --game mobile-legends --product 901 \\\n    --payment-method 12',
  );
};
