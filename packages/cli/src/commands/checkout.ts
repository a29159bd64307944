import type { GetCheckoutResponse, PaymentMethod } from '@topup-kit/sdk';
import { defineCommand } from '../define-command.ts';
import { readSlug } from '../input/arguments.ts';
import type { OutputStyle } from '../output/style.ts';
import { type Column, table } from '../output/table.ts';
import { shellWord } from '../output/text.ts';
import { connect } from '../service/client.ts';
import {
  fieldCells,
  fieldColumns,
  heading,
  methodCells,
  productColumns,
  productRows,
  readCheckout,
} from './games.ts';

const methodColumns: Column[] = [
  { title: 'PAYMENT METHODS' },
  { title: 'ID', align: 'right' },
  { long: true },
  { title: 'FEE', align: 'right' },
  { title: 'FROM', align: 'right', spare: true },
  { title: 'UP TO', align: 'right', spare: true },
  {},
];

/** Payment methods by group, in the order of the catalogue; only the first row of a group shows its name. */
function methodRows(methods: PaymentMethod[]): string[][] {
  const groups = Map.groupBy(methods, ({ group }) => group);
  return [...groups].flatMap(([group, members]) =>
    members.map((method, index) => [index === 0 ? group : '', ...methodCells(method)]),
  );
}

/** What can be ordered now, and what an order needs. */
function checkoutScreen({ game, paymentMethods }: GetCheckoutResponse, style: OutputStyle): string {
  const isOpen = ({ status }: { status: boolean }): boolean => status;
  return [
    heading(game),
    table(fieldColumns, game.fields.map(fieldCells), style),
    table(productColumns, productRows(game.products.filter(isOpen)), style),
    table(methodColumns, methodRows(paymentMethods.filter(isOpen)), style),
  ].join('\n');
}

export const checkout = defineCommand({
  name: 'show',
  description: 'Show what an order of a game needs: account fields, products and payment methods',
  build: (command) => command.argument('<slug>', 'slug of the game, such as mobile-legends', readSlug),
  example: 'checkout show mobile-legends',
  async run(context, _options, slug) {
    const service = await connect(context);
    const shown = await readCheckout(service, slug);
    await context.print({
      document: shown,
      ids: [shown.game.slug],
      screen: (style) => checkoutScreen(shown, style),
    });
    if (!shown.game.status) return context.remark("\nThe game is closed: it can't be ordered.");
    const next = service.commandLine(`orders create --game ${shellWord(shown.game.slug)}`);
    context.remark(`\nTo order (the command asks for the rest):\n  ${next}`);
  },
});
