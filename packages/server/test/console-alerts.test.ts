import { type AlertKind, alertDescriptions, alertKinds } from '@topup-kit/core/engine';
import { describe, expect, it } from 'vitest';
import { callback } from '../../suites/src/store/callbacks/callback-cases.ts';
import {
  another,
  change,
  entry,
  moment,
  place,
  reconciliation,
  refund,
  reserve,
  unit,
} from '../../suites/src/store/fixtures.ts';
import { type Answer, startConsole } from './helpers/console.ts';

type Console = Awaited<ReturnType<typeof startConsole>>;

const idOf = (letter: string): string => another(letter).orderId;
const failed = { paymentStatus: 'PAID', buyStatus: 'Gagal' } as const;

/** Has an order delivered by such a unit, as far as it came. */
async function paid(
  { store }: Console,
  letter: string,
  over: Parameters<typeof unit>[1],
  to?: typeof failed,
) {
  await store.placeOrder(place(another(letter)));
  const units = [unit(1, { nextAt: null, askedAt: moment, ...over })];
  await store.changeOrder(change({ orderId: idOf(letter), units, entry: entry(), ...(to && { to }) }));
}

/** How each alert comes about, and what an operator finds at the place where its first name leads; null when the console can't help. */
const alerts: Record<AlertKind, { raise: (console: Console) => Promise<unknown>; offers: RegExp[] | null }> =
  {
    'waiting-for-balance': {
      raise: (console) =>
        paid(console, 'A', { state: 'asked', waitsFor: 'balance', nextAt: console.clock.now + 60_000 }),
      // To deposit money is all that helps; otherwise the order can be given up.
      offers: [/\/orders\/[^/"]+\/mark\?/],
    },
    'stuck-orders': {
      raise: (console) => paid(console, 'B', { state: 'unknown' }),
      offers: [/\/orders\/[^/"]+\/mark\?/],
    },
    'failed-deliveries': {
      raise: (console) => paid(console, 'C', { state: 'failed' }, failed),
      offers: [/\/orders\/[^/"]+\/retry\?/, /\/orders\/[^/"]+\/refund\?/],
    },
    contradictions: {
      raise: (console) => paid(console, 'D', { state: 'failed', contradiction: 'It was delivered.' }, failed),
      offers: [/\/orders\/[^/"]+\/mark\?/],
    },
    'money-without-an-order': {
      raise: ({ store }) => store.addReconciliation(reconciliation({ orderId: null, reason: 'unknown' })),
      offers: [/\/payments\/rec-1\/settle\?/, /\/payments\/rec-1\/return\?/],
    },
    'refunded-payments': {
      raise: ({ store }) => store.addReconciliation(reconciliation({ reason: 'refunded' })),
      offers: [/\/payments\/rec-1\/return\?/],
    },
    'unpaid-refunds': {
      async raise(console) {
        await console.store.placeOrder(place(another('E')));
        const refunds = [refund({ orderId: idOf('E'), at: moment - 1 })];
        await console.store.changeOrder(change({ orderId: idOf('E'), refunds }));
      },
      offers: [/\/refunds\/[^/"]+\/paid\?/, /\/refunds\/[^/"]+\/cancel\?/],
    },
    'unclear-payments': {
      raise: ({ store }) => store.reserveOrder(reserve(another('F'))),
      offers: [/\/orders\/[^/"]+\/abandon\?/],
    },
    'low-balance': {
      raise: ({ store, clock }) =>
        store.saveSupplierBalance({ supplier: 'depot', balance: 1, alertBelow: 2, readAt: clock.now }),
      offers: null,
    },
    'products-below-cost': {
      async raise({ store, clock }) {
        const catalog = await store.readCatalog();
        const product = catalog?.games
          .flatMap(({ products }) => products)
          .find(({ code }) => code === 'ML86');
        const listed = {
          code: product?.supplier_code ?? 'ML86',
          price: 99_000,
          isAvailable: true,
          stock: null,
        };
        const products = [{ ...listed, isOncePerDay: false, pause: null }];
        await store.saveSupplierList({ supplier: 'depot', readAt: clock.now, products });
      },
      offers: [/\/catalog\/products\/ML86\/set-price\?/],
    },
    'rejected-requests': {
      raise: ({ store, clock }) =>
        store.saveProviderProblems([
          { provider: 'depot', call: 'balance', problem: 'HTTP 403', since: clock.now },
        ]),
      offers: null,
    },
    'failing-callbacks': {
      async raise({ store, clock }) {
        for (let number = 1; number <= 3; number += 1) {
          const times = { receivedAt: clock.now, handledAt: clock.now };
          await store.addCallback(callback({ ...times, callbackId: `cb_${number}`, outcome: 'failed' }));
        }
      },
      offers: [/\/events\/callbacks\/cb_\d\/replay\?/],
    },
    'failing-webhooks': {
      raise: ({ store }) =>
        store.addWebhookEndpoint({
          ...{ endpointId: 'ep_1', accountId: null, url: 'https://shop.example/', types: ['order.paid'] },
          ...{ description: '', secret: 's', previousSecret: null, previousUntil: null, disabled: 'gone' },
          ...{ createdAt: 0, failingSince: 1, version: 1 },
        }),
      offers: [/\/events\/webhooks\/ep_1\/enable\?/, /\/events\/webhooks\/ep_1\/resend\?/],
    },
    'overdue-backup': {
      async raise({ store, clock }) {
        await store.noteBackup({ at: clock.now, operator: 'Dewi', file: 'friday.db' });
        clock.now += 60 * 60_000;
      },
      offers: [/<form method="post" class="form card" action="\/console\/backup"/],
    },
    'rejected-by-limits': {
      async raise({ store, clock }) {
        const alert = { kind: 'rejected-by-limits', sentence: '', count: 3, names: ['key_1'] };
        const raised = { ...alert, until: clock.now + 60_000 };
        await store.saveRaisedAlerts({ ...(await store.readRaisedAlerts()), alerts: [raised] }, []);
      },
      offers: null,
    },
  };

/** The part of the overview that is about an alert, and where its links lead, below the console's path. */
function alertOf({ text }: Answer, kind: AlertKind): { item: string; links: string[] } {
  const [, item = ''] = new RegExp(`<li [^>]*id="alert-${kind}">(.*?)</li>`, 's').exec(text) ?? [];
  return {
    item,
    links: [...item.matchAll(/href="\/console([^"]*)"/g)].map(([, to = '']) => to.replaceAll('&amp;', '&')),
  };
}

describe('the overview', () => {
  it('shows new refunds immediately', async () => {
    await using console = await startConsole();
    const cookie = await console.logIn();
    const nothing = 'No open work.';
    expect((await console.ask('', { cookie })).text).toContain(nothing);
    const orderId = idOf('E');
    await console.store.placeOrder(place(another('E')));
    const refunds = [refund({ refundId: `${orderId}-R1`, orderId, amount: 22_404, at: console.clock.now })];
    await console.store.changeOrder(change({ orderId, refunds }));
    const { text } = await console.ask('', { cookie });
    expect(text).not.toContain(nothing);
    expect(text).toMatch(/Refunds to pay<\/b>.*Rp\s*22,404/);
    expect(text).toContain('/payments#refunds');
  });
});

describe('an alert on the overview', () => {
  it.each(alertKinds)('links from %s to the page that solves it', async (kind) => {
    await using console = await startConsole({ TOPUP_BACKUP_ALERT_HOURS: '1' });
    const cookie = await console.logIn();
    const look = (path: string): Promise<Answer> => console.ask(path.replace(/#.*$/, ''), { cookie });
    const { raise, offers } = alerts[kind];
    await raise(console);
    const { item, links } = alertOf(await look(''), kind);
    expect(item).toContain(alertDescriptions[kind].advice.en.slice(0, 20).replace("'", '&#39;'));
    if (offers === null) {
      // Neither the console nor a command can do anything.
      expect([links, alertDescriptions[kind].commands]).toEqual([[], []]);
      return;
    }
    const [one = '', all = ''] = [links[0], links.at(-1)];
    const page = await look(one);
    expect(page.status).toBe(200);
    for (const action of offers) expect(page.text).toMatch(action);
    // The part of the page that an address names is there.
    for (const path of links) {
      const [, part] = path.split('#');
      const { status, text } = await look(path);
      expect(status).toBe(200);
      if (part !== undefined) expect(text).toContain(`id="${part}"`);
    }
    // The list of all has it, too.
    const name = decodeURIComponent(/[^/=#]+$/.exec(one)?.[0] ?? '').replace(/^(payment|refund)-/, '');
    expect((await look(all)).text).toContain(name);
  });
});
