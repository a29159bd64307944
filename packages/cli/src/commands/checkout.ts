import type { GetCheckoutResponse, PaymentMethod } from '@topup-kit/sdk';
import type { OutputStyle } from '../output/style.ts';
import { type Column, table } from '../output/table.ts';
import { shellWord } from '../output/text.ts';
import {
  defineCheckoutView,
  fieldCells,
  fieldColumns,
  heading,
  methodCells,
  productColumns,
  productRows,
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

/** Lists payment methods by group, in the order of the catalogue. Only the first row of a group shows its name. */
function methodRows(methods: PaymentMethod[]): string[][] {
  const groups = Map.groupBy(methods, ({ group }) => group);
  return [...groups].flatMap(([group, members]) =>
    members.map((method, index) => [index === 0 ? group : '', ...methodCells(method)]),
  );
}

function checkoutScreen({ game, paymentMethods }: GetCheckoutResponse, style: OutputStyle): string {
  const isOpen = ({ status }: { status: boolean }): boolean => status;
  return [
    heading(game),
    table(fieldColumns, game.fields.map(fieldCells), style),
    table(productColumns, productRows(game.products.filter(isOpen)), style),
    table(methodColumns, methodRows(paymentMethods.filter(isOpen)), style),
  ].join('\n');
}

export const noun = defineCheckoutView({
  description: 'Show what an order of a game needs: account fields, products and payment methods',
  example: 'checkout show mobile-legends',
  screen: checkoutScreen,
  next({ game }, service) {
    if (!game.status) return "\nThe game is closed: it can't be ordered.";
    const commandLine = service.commandLine(`orders create --game ${shellWord(game.slug)}`);
    return `\nTo order (the command asks for the rest):\n  ${commandLine}`;
  },
});
