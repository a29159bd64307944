import type { OrderFilter, Store, StoredOrder } from '@topup-kit/core/store';
import { assertEqual } from '../assertions.ts';
import {
  another,
  change,
  delivered,
  expired,
  idOf,
  moment,
  order,
  paid,
  place,
  reserve,
  unpaid,
} from './fixtures.ts';
import type { StoreCases } from './store-case.ts';

/** Returns the letters of the listed orders. */
async function listed(store: Store, filter: Partial<OrderFilter> = {}): Promise<string> {
  const orders = await store.listOrders({ limit: 10, ...filter });
  return orders.map(({ orderId }) => orderId.at(-1)).join('');
}

/** Lists all orders of a filter, page by page. */
async function listedByPages(store: Store, filter: Partial<OrderFilter>): Promise<string> {
  let letters = '';
  for (let after: OrderFilter['after']; ; ) {
    const page = await store.listOrders({ ...filter, limit: 3, ...(after && { after }) });
    letters += page.map(({ orderId }) => orderId.at(-1)).join('');
    after = page.at(-1);
    if (page.length < 3) return letters;
  }
}

/** Each filter alone, and in combination with each other filter. */
const combinations: Partial<OrderFilter>[] = [{}, { accountId: 'other' }].flatMap((account) =>
  [{}, { gameId: 99 }].flatMap((game) =>
    [{}, { paymentStatus: 'PAID' } as const, { paymentStatus: 'EXPIRED' } as const].flatMap((payment) =>
      [{}, { buyStatus: 'Sukses' } as const, { buyStatus: 'Pending' } as const].map((delivery) => ({
        ...account,
        ...game,
        ...payment,
        ...delivery,
      })),
    ),
  ),
);

/** The same phone number in different notations of customers. */
const notations = [
  '081234567890',
  '0812-3456-7890',
  '6281234567890',
  '+6281234567890',
  '+62 812 3456.7890',
  '+62 0812 3456 7890',
  '+62 (0)812-3456-7890',
  '0062 812 3456 7890',
  '00 62 0812 3456 7890',
];

const withPhone = (letter: string, whatsapp: string, over: Partial<StoredOrder> = {}): StoredOrder =>
  another(letter, { contact: { email: null, whatsapp }, ...over });

export const listCases: StoreCases = {
  'the orders of a customer are listed, in whatever notation the phone number was typed': async (store) => {
    for (const [index, whatsapp] of notations.entries())
      await store.placeOrder(place(withPhone('ABCDEFGHI'.charAt(index), whatsapp)));
    const others = ['081234567891', '+65 8123 4567', '+81 234 567 890', 'at noon', '0', '00', '\\"0812\n34'];
    for (const [index, whatsapp] of others.entries())
      await store.placeOrder(place(withPhone('PQRSTUV'.charAt(index), whatsapp)));
    const hidden = withPhone('Z', '081234567890');
    await store.reserveOrder(reserve(hidden));
    const letters = (customer: string) => listed(store, { customer });
    assertEqual(await letters('6281234567890'), 'IHGFEDCBA', 'Indonesian');
    assertEqual(await letters('6581234567'), 'Q', 'of Singapore');
    assertEqual(
      await letters('81234567890'),
      'R',
      'of Japan, which an Indonesian one without its zero resembles',
    );
    assertEqual(await letters('081234567890'), '', 'not a normal form');
    assertEqual(await letters('62'), 'T', 'a zero alone');
    assertEqual(await letters(''), '', 'no digits');
    assertEqual(await letters('6281234'), 'V', 'with characters that JSON escapes');
    assertEqual((await store.findOrder(idOf('G')))?.contact.whatsapp, '+62 (0)812-3456-7890', 'as typed');
  },
  'the orders of a customer are listed newest first, page by page, also with other filters': async (
    store,
  ) => {
    const phone = '0812-0000-0001';
    for (const [index, letter] of [...'ABCDEFG'].entries())
      await store.placeOrder(
        place(
          withPhone(letter, index % 3 === 2 ? '0812-0000-0002' : phone, {
            createdAt: moment + index,
            accountId: index % 2 === 0 ? 'shop' : 'other',
          }),
        ),
      );
    await store.changeOrder(change({ orderId: idOf('D'), to: paid }));
    const customer = '6281200000001';
    assertEqual(await listedByPages(store, { customer }), 'GEDBA', 'all');
    assertEqual(await listedByPages(store, { customer, accountId: 'other' }), 'DB', 'of an account');
    assertEqual(await listedByPages(store, { customer, paymentStatus: 'PAID' }), 'D', 'that are paid');
    assertEqual(await listedByPages(store, { customer, buyStatus: 'Pending' }), 'GEBA', 'that are not');
    assertEqual(await listedByPages(store, { customer, gameId: 99 }), '', 'of another game');
    assertEqual(await listed(store, { customer: '6281200000002' }), 'FC', 'another customer');
  },
  'orders are listed with all their fields, newest first, and by id when they are equally old': async (
    store,
  ) => {
    assertEqual(await store.listOrders({ limit: 10 }), [], 'empty store');
    for (const letter of 'BDAC') await store.placeOrder(place(another(letter)));
    await store.placeOrder(place(another('E', { createdAt: moment - 1 })));
    const newest = another('F', { createdAt: moment + 1 });
    await store.placeOrder(place(newest));
    assertEqual(await listed(store), 'FDCBAE', 'list');
    assertEqual(await store.listOrders({ limit: 1 }), [newest], 'one');
  },
  'orders are listed from one moment on and before another, also with other filters': async (store) => {
    for (const [index, letter] of [...'ABCDEF'].entries())
      await store.placeOrder(
        place(
          withPhone(letter, letter < 'E' ? '0812-0000-0001' : '0812-0000-0002', {
            createdAt: moment + index,
            accountId: index % 2 === 0 ? 'shop' : 'other',
          }),
        ),
      );
    await store.changeOrder(change({ orderId: idOf('D'), to: paid }));
    assertEqual(await listed(store, { from: moment + 2 }), 'FEDC', 'from a moment on');
    assertEqual(await listed(store, { before: moment + 2 }), 'BA', 'before a moment');
    const between = { from: moment + 1, before: moment + 5 };
    assertEqual(await listedByPages(store, between), 'EDCB', 'between two, page by page');
    assertEqual(await listed(store, { from: moment + 2, before: moment + 2 }), '', 'no time between');
    assertEqual(await listed(store, { ...between, accountId: 'other' }), 'DB', 'of an account');
    assertEqual(await listed(store, { ...between, paymentStatus: 'PAID' }), 'D', 'that are paid');
    assertEqual(await listed(store, { ...between, buyStatus: 'Pending' }), 'ECB', 'that are not');
    assertEqual(await listed(store, { ...between, customer: '6281200000001' }), 'DCB', 'of a customer');
  },
  'orders are listed page by page, each of them once': async (store) => {
    for (const letter of 'ABCDEFG')
      await store.placeOrder(place(another(letter, { createdAt: letter < 'D' ? moment + 1 : moment })));
    const pages: string[] = [];
    let after: OrderFilter['after'];
    for (let page = 0; page < 4; page += 1) {
      const orders = await store.listOrders({ limit: 3, ...(after && { after }) });
      pages.push(orders.map(({ orderId }) => orderId.at(-1)).join(''));
      after = orders.at(-1) ?? after;
    }
    assertEqual(pages, ['CBA', 'GFE', 'D', ''], 'pages');
    const middle = { createdAt: moment + 1, orderId: idOf('B') };
    await store.placeOrder(place(another('H', { createdAt: moment + 1 })));
    assertEqual(await listed(store, { after: middle }), 'AGFED', 'a new order does not move the pages');
  },
  'orders are counted by state, whatever became of them, and reserved ones are not': async (store) => {
    const counted = async (): Promise<string[]> =>
      (await store.countOrders())
        .map(({ paymentStatus, buyStatus, count }) => `${paymentStatus} ${buyStatus} ${count}`)
        .sort();
    assertEqual(await counted(), [], 'empty store');
    for (const letter of 'ABC') await store.placeOrder(place(another(letter)));
    await store.reserveOrder(reserve(another('D')));
    await store.reserveOrder(reserve(another('E')));
    assertEqual(await counted(), ['UNPAID Pending 3'], 'placed');
    const { payment } = another('D');
    await store.finaliseOrder({ orderId: idOf('D'), payment, response: null });
    await store.abandonOrder(idOf('E'));
    assertEqual(await counted(), ['UNPAID Pending 4'], 'finalised');
    await store.changeOrder(change({ orderId: idOf('A'), to: paid }));
    await store.changeOrder(change({ orderId: idOf('B'), to: expired }));
    // Its version has changed.
    await store.changeOrder(change({ orderId: idOf('B'), to: paid }));
    assertEqual(await counted(), ['EXPIRED Batal 1', 'PAID Proses 1', 'UNPAID Pending 2'], 'changed');
    await store.changeOrder(change({ orderId: idOf('A'), version: 2, to: delivered }));
    assertEqual(await counted(), ['EXPIRED Batal 1', 'PAID Sukses 1', 'UNPAID Pending 2'], 'delivered');
    await store.clearOrders();
    assertEqual(await counted(), [], 'cleared');
  },
  'orders are filtered by account, states and game, alone and combined': async (store) => {
    const game = { ...order().game, id: 99 };
    await store.placeOrder(place(another('A')));
    await store.placeOrder(place(another('B', { accountId: 'other' })));
    await store.placeOrder(place(another('C', { game })));
    await store.placeOrder(place(another('D', { game, accountId: 'other' })));
    for (const letter of 'EF') await store.placeOrder(place(another(letter)));
    await store.changeOrder(change({ orderId: idOf('D'), to: delivered }));
    await store.changeOrder(change({ orderId: idOf('E'), to: paid }));
    await store.changeOrder(change({ orderId: idOf('F'), to: expired }));
    assertEqual(await listed(store, { accountId: 'other' }), 'DB', 'account');
    assertEqual(await listed(store, { accountId: 'nobody' }), '', 'unknown account');
    assertEqual(await listed(store, { paymentStatus: 'PAID' }), 'ED', 'payment status');
    assertEqual(await listed(store, { buyStatus: 'Sukses' }), 'D', 'buy status');
    assertEqual(await listed(store, { gameId: 99 }), 'DC', 'game');
    assertEqual(await listed(store, { gameId: 99, paymentStatus: 'UNPAID' }), 'C', 'game and state');
    const all = { accountId: 'other', paymentStatus: 'PAID', buyStatus: 'Sukses', gameId: 99 } as const;
    assertEqual(await listed(store, all), 'D', 'all');
    assertEqual(await listed(store, { ...all, buyStatus: 'Proses' }), '', 'all but one');
  },
  'any combination of filters lists each order that matches once, newest first, and no reserved one': async (
    store,
  ) => {
    const accounts = ['shop', 'other'];
    const games = [order().game, { ...order().game, id: 99 }];
    const placed = accounts.flatMap((accountId) =>
      games.flatMap((game) =>
        [unpaid, paid, delivered, expired].map((state) => ({ accountId, game, ...state })),
      ),
    );
    // Several orders of each kind have the same age, and orders in the same state are never adjacent.
    const orders = placed.map((order, index) =>
      another(String.fromCharCode(65 + index), { ...order, createdAt: moment + ((index * 7) % 5) }),
    );
    for (const order of orders) {
      await store.placeOrder(place({ ...order, ...unpaid }));
      if (order.paymentStatus !== 'UNPAID')
        await store.changeOrder(change({ orderId: order.orderId, to: order }));
    }
    await store.reserveOrder(
      reserve(another('Z', { accountId: 'other', game: { ...order().game, id: 99 } })),
    );
    const newestFirst = orders.toSorted(
      (a, b) => b.createdAt - a.createdAt || (a.orderId < b.orderId ? 1 : -1),
    );
    for (const filter of combinations) {
      const expected = newestFirst.filter(
        ({ accountId, game, paymentStatus, buyStatus }) =>
          accountId === (filter.accountId ?? accountId) &&
          game.id === (filter.gameId ?? game.id) &&
          paymentStatus === (filter.paymentStatus ?? paymentStatus) &&
          buyStatus === (filter.buyStatus ?? buyStatus),
      );
      assertEqual(
        await listedByPages(store, filter),
        expected.map(({ orderId }) => orderId.at(-1)).join(''),
        JSON.stringify(filter),
      );
    }
  },
  'pages of a filtered list are full': async (store) => {
    for (const letter of 'ABCDEF')
      await store.placeOrder(place(another(letter, { accountId: letter < 'D' ? 'shop' : 'other' })));
    assertEqual(await listed(store, { accountId: 'shop', limit: 2 }), 'CB', 'first');
    const after = { createdAt: moment, orderId: idOf('B') };
    assertEqual(await listed(store, { accountId: 'shop', limit: 2, after }), 'A', 'second');
  },
};
