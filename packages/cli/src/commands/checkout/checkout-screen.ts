import type { CheckoutAnswer, PaymentMethod } from '@topup-kit/sdk';
import type { Look } from '../../output/style.ts';
import { type Column, table } from '../../output/table.ts';
import {
  fieldCells,
  fieldColumns,
  heading,
  methodCells,
  productColumns,
  productRows,
} from '../games/game-screen.ts';

const methodColumns: Column[] = [
  { title: 'WAYS TO PAY' },
  { title: 'ID', align: 'right' },
  { long: true },
  { title: 'FEE', align: 'right' },
  { title: 'FROM', align: 'right', spare: true },
  { title: 'UP TO', align: 'right', spare: true },
  {},
];

/** Ways to pay by group, in the order in which the groups come; only the first of each names it. */
function methodRows(methods: PaymentMethod[]): string[][] {
  const groups = Map.groupBy(methods, ({ group }) => group);
  return [...groups].flatMap(([group, members]) =>
    members.map((method, index) => [index === 0 ? group : '', ...methodCells(method)]),
  );
}

/** What can be ordered now, with what that takes. */
export function checkoutScreen({ game, paymentMethods }: CheckoutAnswer, look: Look): string {
  const isOpen = ({ status }: { status: boolean }): boolean => status;
  return [
    heading(game),
    table(fieldColumns, game.fields.map(fieldCells), look),
    table(productColumns, productRows(game.products.filter(isOpen)), look),
    table(methodColumns, methodRows(paymentMethods.filter(isOpen)), look),
  ].join('\n');
}
