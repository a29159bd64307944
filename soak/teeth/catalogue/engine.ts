import type { Bug } from '../bug.ts';

const engine = 'packages/core/src/engine';
const test = 'packages/core/test';

/** Bugs of the rules: orders, payments, deliveries, promos, keys and callbacks. */
export const rules: readonly Bug[] = [
  {
    name: 'an account reads orders of accounts whose names begin with its own',
    file: `${engine}/orders/orders.ts`,
    find: 'order?.accountId === accountId',
    replace: 'order?.accountId.startsWith(accountId)',
    caughtBy: {
      file: `${test}/access.test.ts`,
      title: 'reads no order of an account whose name begins alike',
    },
  },
  {
    name: 'a key is compared by its first two characters',
    file: `${engine}/keys.ts`,
    find: 'index < a.length; index += 1) difference',
    replace: 'index < 2; index += 1) difference',
    caughtBy: { file: `${test}/access.test.ts`, title: 'is compared whole, by its hash' },
  },
  {
    name: 'a revoked key works as long as the server runs',
    file: `${engine}/keys.ts`,
    find: 'known.clear();',
    replace: '',
    caughtBy: { file: `${test}/access.test.ts`, title: 'no longer works once it is revoked' },
  },
  {
    name: 'a key works after its expiry',
    file: `${engine}/keys.ts`,
    find: "expiresAt <= realNow ? 'expired'",
    replace: "expiresAt <= 0 ? 'expired'",
    caughtBy: { file: `${test}/access.test.ts`, title: 'works until that moment of real time' },
  },
  {
    name: 'the store has the keys themselves',
    file: `${engine}/keys.ts`,
    find: 'hash: hash(key),\n    accountId',
    replace: 'hash: key,\n    accountId',
    caughtBy: { file: `${test}/access.test.ts`, title: 'is stored only as its hash' },
  },
  {
    name: 'the well-known key of a sandbox works from anywhere',
    file: `${engine}/keys.ts`,
    find: ' && (direct || !entry.directOnly)',
    replace: '',
    caughtBy: {
      file: `${test}/access.test.ts`,
      title: 'the well-known key of a sandbox works in direct requests only',
    },
  },
  {
    name: 'another order with the same key gets the first response',
    file: `${engine}/orders/place-order.ts`,
    find: "    throw new DomainError('IDEMPOTENCY_CONFLICT');\n",
    replace: '    void 0;\n',
    caughtBy: {
      file: 'packages/server/test/conformance.test.ts',
      title: 'a key with another order is a 409',
    },
  },
  {
    name: 'a key that an early version stored no longer counts',
    file: 'packages/core/src/app/routes/create-order.ts',
    find: 'hash(JSON.stringify(fields))',
    replace: "''",
    caughtBy: {
      file: 'packages/server/test/sqlite-formats.test.ts',
      title: 'is served as the version that wrote it did: all orders, and replays byte for byte',
    },
  },
  {
    name: 'a supplier is asked although another process stored the question first',
    file: `${engine}/orders/change-order.ts`,
    find: "if (!planned.change || 'done' in (await store.changeOrder(planned.change))) return planned;",
    replace: 'if (planned.change) await store.changeOrder(planned.change);\n    return planned;',
    caughtBy: {
      file: `${test}/delivery.test.ts`,
      title: 'submit a unit once, although both read it before one of them stored it as asked',
    },
  },
  {
    name: 'a supplier is asked before the question is stored',
    file: `${engine}/orders/change-order.ts`,
    find: "if (!planned.change || 'done' in (await store.changeOrder(planned.change))) return planned;",
    replace: 'if (planned.change) void store.changeOrder(planned.change);\n    return planned;',
    caughtBy: {
      file: `${test}/delivery.test.ts`,
      title: 'gets a request only after the unit was stored as asked',
    },
  },
  {
    name: 'a purchase that was submitted is submitted again instead of looked up',
    file: `${engine}/delivery/deliver.ts`,
    find: "const known =\n      before.state === 'waiting'",
    replace: "const known =\n      before.state !== 'unknown'",
    caughtBy: { file: `${test}/delivery.test.ts`, title: 'is submitted once, and then looked up' },
  },
  {
    name: 'nothing in the store says that a purchase was submitted',
    file: `${engine}/delivery/deliver.ts`,
    find: "state: 'asked',\n    askedAt,",
    replace: 'askedAt,',
    caughtBy: {
      file: `${test}/delivery.test.ts`,
      title: 'after a crash between the store and the supplier is looked up, and not submitted',
    },
  },
  {
    name: 'a purchase of unknown outcome is bought again',
    file: `${engine}/delivery/results.ts`,
    find: "return { ...settled, state: 'unknown', reason: known.reason };",
    replace: "return { ...unit, state: 'waiting', reason: known.reason };",
    caughtBy: { file: `${test}/delivery.test.ts`, title: 'is left to an operator' },
  },
  {
    name: 'a purchase at the former supplier is bought again at the new one',
    file: `${engine}/delivery/purchase.ts`,
    find: 'supplier === null || supplier === name\n',
    replace: 'supplier === null || supplier.length > 0\n',
    caughtBy: {
      file: `${test}/delivery.test.ts`,
      title: 'is neither submitted nor looked up at the new one, and names the old one',
    },
  },
  {
    name: 'a late result undoes a delivery',
    file: `${engine}/delivery/results.ts`,
    find: "state === 'asked' || ((state === 'unknown'",
    replace: "state === 'asked' || ((state === 'delivered' || state === 'unknown'",
    caughtBy: {
      file: `${test}/delivery-results.test.ts`,
      title: 'is kept as a contradiction, once, and changes no outcome',
    },
  },
  {
    name: 'a retry delivers again what was delivered',
    file: `${engine}/operator-plans.ts`,
    find: "const failed = units.filter(({ state }) => state === 'failed');",
    replace: "const failed = units.filter(({ state }) => state !== 'waiting');",
    caughtBy: {
      file: `${test}/delivery.test.ts`,
      title: 'let every second unit fail; a retry delivers those alone',
    },
  },
  {
    name: 'a paid order expires',
    file: `${engine}/orders/states.ts`,
    find: 'expired: { from: unpaid,',
    replace: "expired: { from: [...unpaid, state('PAID', 'Proses')],",
    caughtBy: {
      file: `${test}/order-states.property.test.ts`,
      title: 'has only transitions of the open points',
    },
  },
  {
    name: 'an expired order keeps the use of its promo',
    file: `${engine}/orders/states.ts`,
    find: "to: state('EXPIRED', 'Batal'), promo: 'release'",
    replace: "to: state('EXPIRED', 'Batal'), promo: 'keep'",
    caughtBy: { file: `${test}/order-lifetime.test.ts`, title: 'releases its promo use' },
  },
  {
    name: 'an operator can refund a delivered order',
    file: `${engine}/orders/states.ts`,
    find: "refunded: [state('PAID', 'Gagal'), state('PAID', 'Proses')],",
    replace: "refunded: [state('PAID', 'Gagal'), state('PAID', 'Proses'), state('PAID', 'Sukses')],",
    caughtBy: {
      file: `${test}/delivery.test.ts`,
      title: 'is not possible for a delivered order, nor for one that nobody paid',
    },
  },
  {
    name: 'a refund at the gateway makes a delivered order one that failed',
    file: `${engine}/orders/states.ts`,
    find: "refunded: {\n    from: [state('PAID', 'Gagal')],",
    replace: "refunded: {\n    from: [state('PAID', 'Gagal'), state('PAID', 'Sukses')],",
    caughtBy: {
      file: `${test}/callbacks-payments.test.ts`,
      title: 'is found for a delivered order, too, and stays closed once an operator closed it',
    },
  },
  {
    name: 'a refund of a partly delivered order pays everything back',
    file: `${engine}/refunds.ts`,
    find: 'if (asked === undefined) return Math.max(owed, byGateway);',
    replace: 'if (asked === undefined) return Math.max(received - refunded, byGateway);',
    caughtBy: { file: `${test}/refunds.test.ts`, title: 'pays back what was not delivered, and is recorded' },
  },
  {
    name: 'a part that the gateway pays back refunds the whole order',
    file: `${engine}/gateway-refunds.ts`,
    find: 'if (amount >= received && !isPaidTwice) {',
    replace: 'if (amount > 0 && !isPaidTwice) {',
    caughtBy: { file: `${test}/gateway-refunds.test.ts`, title: 'waits for an operator with its amount' },
  },
  {
    name: 'two reports of what a gateway paid back are both stored whole, if they come at once',
    file: `${engine}/gateway-refunds.ts`,
    find: 'paidBack.length + 1',
    replace: 'event.amount',
    caughtBy: {
      file: `${test}/gateway-refunds.test.ts`,
      title: 'with another report at once, is counted once',
    },
  },
  {
    name: 'what the gateway paid back is paid by hand as well',
    file: `${engine}/refunds.ts`,
    find: 'const left = amount - sum(paid);',
    replace: 'const left = amount;',
    caughtBy: {
      file: `${test}/refunds.test.ts`,
      title: 'is a part of the refund, and only the rest is paid by hand',
    },
  },
  {
    name: 'a payment of another amount settles an order without a word',
    file: `${engine}/settling.ts`,
    find: 'difference !== 0 && !otherAmount',
    replace: 'difference < -1_000_000 && !otherAmount',
    caughtBy: { file: `${test}/settling.test.ts`, title: 'is only settled when that is asked for' },
  },
  {
    name: 'a payment that came too late pays the order',
    file: `${engine}/payments.ts`,
    find: "(event.at ?? now) < order.expiresAt ? null : 'late'",
    replace: 'null',
    caughtBy: {
      file: `${test}/payment-events.test.ts`,
      title: 'of a payment after the expiry is stored for an operator, who settles it',
    },
  },
  {
    name: 'a payment that came too late is dropped',
    file: `${engine}/unmatched-money.ts`,
    find: 'if (!known)\n',
    replace: "if (!known && reason !== 'late')\n",
    caughtBy: {
      file: `${test}/callbacks-payments.test.ts`,
      title: 'that comes after the expiry waits for an operator',
    },
  },
  {
    name: 'more money than the total pays the order',
    file: `${engine}/payments.ts`,
    find: 'event.amount !== order.pricing.total_price',
    replace: 'event.amount < order.pricing.total_price',
    caughtBy: {
      file: `${test}/payment-events.test.ts`,
      title: 'instead of 40,000 is stored for an operator',
    },
  },
  {
    name: 'the same payment waits for an operator twice',
    file: `${engine}/unmatched-money.ts`,
    find: '[reference, amount, at ?? []]',
    replace: '[reference, amount, at ?? Math.random()]',
    caughtBy: {
      file: `${test}/callbacks-payments.test.ts`,
      title: 'whose moment the gateway does not tell is counted once, however often it is reported',
    },
  },
  {
    name: 'a second payment of a paid order is dropped',
    file: `${engine}/payments.ts`,
    find: 'return first.paidAt === undefined ? isLater(at, first.at) : first.paidAt !== at;',
    replace: 'return false;',
    caughtBy: {
      file: `${test}/callbacks-payments.test.ts`,
      title: 'of a second payment with the same reference waits for an operator',
    },
  },
  {
    name: 'a payment is lost when the order fails at the same moment',
    file: `${engine}/payments.ts`,
    find: 'if (applied.order.version !== order.version) return null;',
    replace: '',
    caughtBy: {
      file: `${test}/due-work.test.ts`,
      title: 'is never lost: the order is paid, or the payment is stored for an operator',
    },
  },
  {
    name: 'a callback is believed without the confirmation that it needs',
    file: `${engine}/callback-events.ts`,
    find: 'if (!news.confirm) return news;',
    replace: 'return news;',
    caughtBy: {
      file: `${test}/callbacks-payments.test.ts`,
      title: 'pays nothing while the gateway does not confirm it, and is to be sent again',
    },
  },
  {
    name: 'a callback that could not be stored is acknowledged',
    file: `${engine}/callbacks.ts`,
    find: "return { response: provider.respond('failed'), ...received };",
    replace: 'return { response, ...received };',
    caughtBy: {
      file: `${test}/callbacks.test.ts`,
      title: 'that can not be stored is to be sent again, and then changes nothing more',
    },
  },
  {
    name: 'the secret in a callback is stored',
    file: `${engine}/unproven-callbacks.ts`,
    find: 'body: kept.body,',
    replace: 'body: one.body,',
    caughtBy: { file: `${test}/callbacks.test.ts`, title: 'is not stored' },
  },
  {
    name: 'a payment whose response was lost is lost',
    file: `${engine}/orders/payment-step.ts`,
    find: 'return afterFailure(deps, gateway, proposal, { cause, reference: null });',
    replace: "await store.abandonOrder(orderId);\n    throw new DomainError('PAYMENT_FAILED', { cause });",
    caughtBy: {
      file: `${test}/remote-gateway.test.ts`,
      title: 'does not lose a payment whose response was lost',
    },
  },
  {
    name: 'an order is given up while its request is in flight',
    file: `${engine}/orders/payment-step.ts`,
    find: 'return reserved.filter(({ createdAt }) => createdAt + inFlightTime <= worldClock());',
    replace: 'return reserved.filter(({ createdAt }) => createdAt <= worldClock());',
    caughtBy: {
      file: `${test}/remote-gateway.test.ts`,
      title: 'does not affect an order whose request may still be in flight',
    },
  },
  {
    name: 'an order of the former gateway is given up',
    file: `${engine}/orders/payment-step.ts`,
    find: 'if (isElsewhere(gateway, reserved)) return null;',
    replace: '',
    caughtBy: {
      file: `${test}/remote-gateway.test.ts`,
      title: 'stays one while another gateway is configured, which knows nothing of it',
    },
  },
  {
    name: 'one order that fails stops the work for all others',
    file: `${engine}/due-work.ts`,
    find: 'if (isOfStore(error)) throw error;',
    replace: 'throw error;',
    caughtBy: {
      file: `${test}/due-work.test.ts`,
      title: 'delays neither the expiry nor the delivery of others',
    },
  },
  {
    name: 'nobody asks about a payment that was made while no server ran',
    file: `${engine}/payment-polling.ts`,
    find: 'let lastUntil = Number.NEGATIVE_INFINITY;',
    replace: 'let lastUntil = worldClock();',
    caughtBy: {
      file: `${test}/payment-polling.test.ts`,
      title: 'is asked about when a server starts, also when it expired while none ran',
    },
  },
  {
    name: 'a fee is rounded down',
    file: `${engine}/pricing.ts`,
    find: 'Math.ceil((subtotal',
    replace: 'Math.floor((subtotal',
    caughtBy: { file: `${test}/pricing.test.ts`, title: 'rounds a share up' },
  },
  {
    name: 'a discount is rounded up',
    file: `${engine}/pricing.ts`,
    find: 'Math.floor((price',
    replace: 'Math.ceil((price',
    caughtBy: { file: `${test}/pricing.test.ts`, title: 'rounds a share down' },
  },
  {
    name: 'a promo can be used at the moment of its end',
    file: `${engine}/pricing.ts`,
    find: 'use.now >= Date.parse(promo.ends_at)',
    replace: 'use.now > Date.parse(promo.ends_at)',
    caughtBy: { file: `${test}/pricing.test.ts`, title: 'is possible until just before its end' },
  },
  {
    name: 'a customer gets a second limit with another notation of the number',
    file: 'packages/core/src/contract/phone.ts',
    find: "replace(/^(620|0)/, '62')",
    replace: "replace(/^620/, '62')",
    caughtBy: { file: `${test}/language.test.ts`, title: 'are one customer in each notation' },
  },
  {
    name: 'the id of an order has the time of another zone',
    file: `${engine}/time.ts`,
    find: "(sign === '-' ? -1 : 1) * (Number(hours)",
    replace: '(Number(hours)',
    caughtBy: { file: `${test}/keys-and-times.test.ts`, title: 'is written with the offset of the zone' },
  },
  {
    name: 'with a promo, the supplier may charge less, and delivers nothing',
    file: `${engine}/delivery/purchase.ts`,
    find: 'maxPrice: order.pricing.unit_price_before_promo',
    replace: 'maxPrice: order.pricing.unit_price_after_promo',
    caughtBy: {
      file: `${test}/delivery-requests.test.ts`,
      title: 'allows the price without promo code, so that a promo stops no delivery',
    },
  },
  {
    name: 'the validation of a promo code takes another notation of a number for another customer',
    file: `${engine}/orders/choose.ts`,
    find: "customer: phoneDigits(input.whatsapp ?? ''),",
    replace: "customer: input.whatsapp ?? '',",
    caughtBy: {
      file: `${test}/language.test.ts`,
      title: 'are one customer in the validation of a promo code, too',
    },
  },
];
