import { InvalidArgumentError } from '@commander-js/extra-typings';
import { highestAmount, readAmount } from '@topup-kit/core/contract';
import { type Define, defineCommand } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { operatorOption } from '../../input/operator.ts';
import { dryRunOption } from '../../input/prompts.ts';
import { storeOption, withChangeOptions } from '../../store/open.ts';
import { runEdit } from './changes.ts';

function priceText(text: string): number {
  const price = readAmount(text);
  if (price) return price;
  throw new InvalidArgumentError(
    `Give whole rupiah without separators, such as 25000, up to ${highestAmount}.`,
  );
}

export const setPriceCommand = defineCommand({
  name: 'set-price',
  description: 'Set the price of a product manually, and lock it',
  build: (command) =>
    command
      .argument('<code>', 'code of the product')
      .argument('<new>', 'new price of one unit, in rupiah', priceText)
      .option(...operatorOption)
      .option(...dryRunOption)
      .option(...storeOption),
  help: `A locked price follows no margin rule until catalog unlock. The command rejects
a price below the supplier's, because the service would close the product.`,
  example: 'catalog set-price ML86 22000',
  async run(context, options, code, price) {
    const { setPrice } = await import('@topup-kit/core/engine');
    await runEdit(context, options, { command: `set-price ${code}`, planOf: setPrice(code, price) });
  },
});

const defineLock = (name: 'lock' | 'unlock', description: string): Define =>
  defineCommand({
    name,
    description,
    build: (command) => withChangeOptions(command.argument('<code...>', 'codes of the products')),
    example: `catalog ${name} ML86`,
    async run(context, options, codes) {
      const { setLocked } = await import('@topup-kit/core/engine');
      await runEdit(context, options, {
        command: `${name} ${codes.join(' ')}`,
        planOf: setLocked(codes, name === 'lock'),
        asks: { yes: options.yes },
      });
    },
  });

export const lock = defineLock('lock', 'Keep prices as they are, whatever the margin rules say');
export const unlock = defineLock('unlock', 'Let prices follow the margin rules again, from now on');

const defineSwitch = (name: 'close' | 'open', description: string): Define =>
  defineCommand({
    name,
    description,
    build: (command) =>
      command
        .argument('[code...]', 'codes of products')
        .option('--game <slug...>', 'slugs of whole games; give product codes before this option')
        .option('--method <code...>', 'codes of payment methods')
        .option(...operatorOption)
        .option(...dryRunOption)
        .option(...storeOption),
    example: `catalog ${name} --game mobile-legends`,
    async run(context, options, products) {
      const { game: games = [], method: methods = [] } = options;
      const subjects = [...products, ...games, ...methods];
      if (subjects.length === 0)
        throw usageError(`catalog ${name} needs codes of products, --game or --method.`);
      const { setOpen } = await import('@topup-kit/core/engine');
      const planOf = setOpen({ games, products, methods }, name === 'open');
      await runEdit(context, options, { command: `${name} ${subjects.join(' ')}`, planOf });
    },
  });

export const close = defineSwitch(
  'close',
  'Close products, games or payment methods; existing orders continue',
);
export const open = defineSwitch('open', 'Open products, games or payment methods that were closed manually');
