import type { ValidatePromoRequest } from '@topup-kit/sdk';
import type { CommandContext } from '../../context.ts';
import { defineCommand, defineGroup, type NewCommand, type OptionsOf } from '../../define-command.ts';
import { type CliError, usageError } from '../../errors/cli-error.ts';
import { readSlug, wholeNumber } from '../../input/arguments.ts';
import { money } from '../../output/format.ts';
import { factList } from '../../output/table.ts';
import { slugWord } from '../../output/text.ts';
import { connect } from '../../service/client.ts';
import { sameService } from '../../service/connection.ts';
import { suggestSlugs } from '../../service/suggest-slugs.ts';
import { create, disable, enable } from './edit.ts';
import { list } from './list.ts';

const build = (command: NewCommand) =>
  command
    .argument('<promo>', 'code of the promo')
    .option('--game <slug>', 'slug of the game (required)', readSlug)
    .option('--product <id>', 'id of the product (required)', wholeNumber)
    .option('--payment-method <id>', 'id of the payment method (required)', wholeNumber)
    .option('--whatsapp <phone>', 'phone number of the customer, for codes with a limit per customer');

type Options = OptionsOf<typeof build>;

function incomplete(context: CommandContext, { game, product, paymentMethod }: Options): CliError {
  const flags = { '--game': game, '--product': product, '--payment-method': paymentMethod };
  const missing = Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [flag] : []));
  return usageError(
    `promos validate also needs ${missing.join(', ')}.`,
    `This lists a game's products and payment methods:\n  ${sameService(context, `games show ${slugWord(game)}`)}`,
  );
}

function readRequest(context: CommandContext, code: string, options: Options): ValidatePromoRequest {
  const { game, product, paymentMethod, whatsapp } = options;
  if (game === undefined || product === undefined || paymentMethod === undefined)
    throw incomplete(context, options);
  return {
    code,
    game_slug: game,
    product_id: product,
    payment_method_id: paymentMethod,
    ...(whatsapp !== undefined && { whatsapp }),
  };
}

const validate = defineCommand({
  name: 'validate',
  description: 'Check a promo code with the service, without using it up',
  build,
  example: `promos validate RAMADAN10 --game mobile-legends --product 901 \\\n    --payment-method 12`,
  async run(context, options, code) {
    const request = readRequest(context, code, options);
    const game = request.game_slug;
    const service = await connect(context);
    const response = await suggestSlugs(service, game, () =>
      service.ask((client, rest) => client.promos.validate(request, rest), { game }),
    );
    const { promo, pricing } = response.data;
    const { discount_type, discount_value } = promo;
    const off = discount_type === 'PERCENT' ? `${discount_value} %` : money(discount_value);
    await context.print({
      document: response,
      screen: factList([
        ['Code', promo.code, 'title'],
        ['Off', `${off} per item`],
        ['Price', money(pricing.base_price)],
        ['Discount', money(-pricing.discount)],
        ['Then', money(pricing.final_price), 'good'],
      ]),
    });
  },
});

export const noun = defineGroup(
  `validate contacts the service, as a customer does. The others work on the store,
as an operator; a running server picks up the change within a second.`,
  [validate, list, create, disable, enable],
);
