import type { CheckoutAnswer, PaymentMethod } from '@topup-kit/sdk';
import type { Command } from 'commander';
import { addExample, shellWord } from '../command-line.ts';
import type { Io } from '../io.ts';
import type { Look } from '../output/look.ts';
import { print, remark } from '../output/print.ts';
import { type Column, table } from '../output/table.ts';
import { connect } from '../service/client.ts';
import type { Define } from './define.ts';
import {
  fieldCells,
  fieldColumns,
  heading,
  methodCells,
  productColumns,
  productRows,
  readCheckout,
} from './games.ts';
import { readSlug } from './path-argument.ts';

const methodColumns: Column[] = [
  { title: 'WAYS TO PAY' },
  { title: 'ID', align: 'right' },
  { long: true },
  { title: 'FEE', align: 'right' },
  { title: 'FROM', align: 'right', spare: true },
  { title: 'UP TO', align: 'right', spare: true },
  {},
];

/** Payment methods by group, in the order of the catalogue; only the first row of each names it. */
function methodRows(methods: PaymentMethod[]): string[][] {
  const groups = Map.groupBy(methods, ({ group }) => group);
  return [...groups].flatMap(([group, members]) =>
    members.map((method, index) => [index === 0 ? group : '', ...methodCells(method)]),
  );
}

/** What can be ordered now, and what that takes. */
function checkoutScreen({ game, paymentMethods }: CheckoutAnswer, look: Look): string {
  const isOpen = ({ status }: { status: boolean }): boolean => status;
  return [
    heading(game),
    table(fieldColumns, game.fields.map(fieldCells), look),
    table(productColumns, productRows(game.products.filter(isOpen)), look),
    table(methodColumns, methodRows(paymentMethods.filter(isOpen)), look),
  ].join('\n');
}

async function showCheckout(slug: string, io: Io, command: Command): Promise<void> {
  const service = await connect(io, command);
  const answer = await readCheckout(service, slug);
  await print(io, command, {
    document: answer,
    ids: [answer.game.slug],
    screen: (look) => checkoutScreen(answer, look),
  });
  if (!answer.game.status)
    return remark(io, command, '\nThe game is closed: it can be looked at, not ordered.');
  const next = service.commandLine(`orders create --game ${shellWord(answer.game.slug)}`);
  remark(io, command, `\nTo order, at a terminal, which asks for the rest:\n  ${next}`);
}

export const defineCheckout: Define = (checkout, io) => {
  const show = checkout
    .command('show')
    .description('Show what an order of a game takes: the account, what is open to buy, and the ways to pay')
    .argument('<slug>', 'slug of the game, such as mobile-legends', readSlug)
    .action((slug: string, _options: object, command: Command) => showCheckout(slug, io, command));
  addExample(show, io, 'checkout show mobile-legends');
};
