import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { readAmount } from '@topup-kit/core/contract';
import type { Margin, MarginRule } from '@topup-kit/core/store';
import {
  type Define,
  defineCommand,
  defineGroup,
  type NewCommand,
  type OptionsOf,
} from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { money } from '../../output/format.ts';
import { type ColumnOf, tableOf } from '../../output/table.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { withChangeOptions } from '../../store/open.ts';
import { roundingWords, runEdit } from './changes.ts';

/** Converts `8.25` to 825 basis points. It parses the text, so that nothing is rounded. */
function percentText(text: string): number {
  const [, whole = '', fraction = ''] = /^(\d{1,4})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (whole === '')
    throw new InvalidArgumentError(
      'Give 0 to 9999 with at most two decimals, such as 8 or 8.25: no rule sells below cost.',
    );
  return Number(whole + fraction.padEnd(2, '0'));
}

function rupiah(text: string): number {
  const amount = readAmount(text);
  if (amount === null) throw new InvalidArgumentError('Give whole rupiah from 0: no rule sells below cost.');
  return amount;
}

function stepText(text: string): number {
  const step = rupiah(text);
  if (step < 1) throw new InvalidArgumentError('Give whole rupiah from 1, such as 100 or 500.');
  return step;
}

const withScope = (command: NewCommand) =>
  command
    .option('--game <slug>', 'only for this game')
    .addOption(
      new Option('--category <id>', 'only for games of this category, by its id')
        .argParser(wholeNumber)
        .conflicts('game'),
    )
    .addOption(
      new Option('--product <product-code>', 'only for this product').conflicts(['game', 'category']),
    );

function scopeOf({
  game,
  category,
  product,
}: {
  game?: string;
  category?: number;
  product?: string;
}): Pick<Margin, 'scope' | 'key'> {
  if (product !== undefined) return { scope: 'product', key: product };
  if (category !== undefined) return { scope: 'category', key: String(category) };
  return game === undefined ? { scope: 'shop', key: '' } : { scope: 'game', key: game };
}

const buildSet = (command: NewCommand) =>
  withChangeOptions(
    withScope(command)
      .option('--percent <number>', 'percent added to the cost', percentText)
      .option('--flat <rupiah>', 'rupiah added to the cost, in addition to --percent', rupiah)
      .option('--minimum <rupiah>', 'minimum margin, in rupiah', rupiah)
      .option('--floor <rupiah>', 'the lowest price', rupiah)
      .option('--round-up <rupiah>', 'round prices up to a multiple of this, such as 100', stepText)
      .addOption(new Option('--end-900', 'round prices up so that they end in 900').conflicts('roundUp')),
  );

function ruleOf({ percent, flat, minimum, floor, roundUp, end900 }: OptionsOf<typeof buildSet>): MarginRule {
  if (percent === undefined && flat === undefined && minimum === undefined)
    throw usageError('A margin rule needs --percent, --flat or --minimum.');
  const up = roundUp === undefined ? null : { up: roundUp };
  return {
    percent: percent ?? 0,
    flat: flat ?? 0,
    minimum: minimum ?? 0,
    floor: floor ?? 0,
    rounding: end900 ? 'end-900' : up,
  };
}

const words = ({ scope, key }: Pick<Margin, 'scope' | 'key'>): string =>
  scope === 'shop' ? scope : `${scope} ${key}`;

const set = defineCommand({
  name: 'set',
  description: 'Set how prices are computed from costs: for the shop, a game, a category or a product',
  build: buildSet,
  help: `The most specific rule applies: product, then game, then category, then shop.
This replaces an existing rule. Prices that follow it change immediately;
locked prices stay. The command shows the price changes and asks first.`,
  example: 'catalog margin set --percent 8 --flat 500 --minimum 300 --round-up 100',
  async run(context, options) {
    const { setMargin } = await import('@topup-kit/core/engine');
    const scope = scopeOf(options);
    await runEdit(context, options, {
      command: `margin set ${words(scope)}`,
      planOf: setMargin(scope, ruleOf(options)),
      asks: { yes: options.yes },
    });
  },
});

const unset = defineCommand({
  name: 'unset',
  description: 'Remove a margin rule; its products follow the next rule, or keep their prices',
  build: (command) => withChangeOptions(withScope(command)),
  example: 'catalog margin unset --game mobile-legends',
  async run(context, options) {
    const { setMargin } = await import('@topup-kit/core/engine');
    const scope = scopeOf(options);
    await runEdit(context, options, {
      command: `margin unset ${words(scope)}`,
      planOf: setMargin(scope, null),
      asks: { yes: options.yes },
    });
  },
});

const orNone = (amount: number): string => (amount === 0 ? '' : money(amount));

const columns: readonly ColumnOf<Margin>[] = [
  [{ title: 'FOR' }, words],
  [{ title: 'PERCENT', align: 'right' }, ({ rule }) => (rule.percent === 0 ? '' : `${rule.percent / 100} %`)],
  [{ title: 'FLAT', align: 'right' }, ({ rule }) => orNone(rule.flat)],
  [{ title: 'MINIMUM', align: 'right' }, ({ rule }) => orNone(rule.minimum)],
  [{ title: 'FLOOR', align: 'right' }, ({ rule }) => orNone(rule.floor)],
  [{ title: 'ROUNDED', spare: true }, ({ rule }) => roundingWords(rule)],
];

const list = defineStoreCommand({
  name: 'list',
  description: 'List the margin rules',
  example: 'catalog margin list',
  async run({ store, path, commandLine }, context) {
    const { marginScopes } = await import('@topup-kit/core/store');
    const margins = (await store.readMargins()).toSorted(
      (a, b) => marginScopes.indexOf(a.scope) - marginScopes.indexOf(b.scope),
    );
    await context.print({
      document: { margins },
      ids: margins.map(words),
      screen: (style) => tableOf(columns, margins, style),
    });
    if (margins.length === 0)
      context.remark(
        `No margin rules in ${path} yet. To set one for the whole shop:\n  ${commandLine('catalog margin set --percent 8 --round-up 100')}`,
      );
  },
});

const verbs = defineGroup("A margin rule computes prices from the supplier's costs.", [set, list, unset]);

export const margin: Define = (catalog, io) =>
  verbs(catalog.command('margin').description('Set, list and remove margin rules'), io);
