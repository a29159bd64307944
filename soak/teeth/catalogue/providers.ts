import type { Bug } from '../bug.ts';

const source = 'packages/providers/src';
const test = 'packages/providers/test';

/** Bugs of the adapters of gateways and suppliers. */
export const providers: readonly Bug[] = [
  {
    name: "of the signature of Tripay's callbacks only the length is checked",
    file: `${source}/tripay/callback.ts`,
    find: 'isSameText(signature, callbackSignature(key, body))',
    replace: 'signature.length === callbackSignature(key, body).length',
    caughtBy: { file: `${test}/tripay-gateway.test.ts`, title: 'rejects a callback with a wrong signature' },
  },
  {
    name: "the signature of Midtrans's notifications is not checked",
    file: `${source}/midtrans/callback.ts`,
    find: 'if (!signatureKeys.some(isSignedBy))',
    replace: 'if (!isSignedBy)',
    caughtBy: {
      file: `${test}/midtrans-gateway.test.ts`,
      title: 'rejects a notification with a wrong signature',
    },
  },
  {
    name: 'a notification of Midtrans is believed although its status is not signed',
    file: `${source}/midtrans/callback.ts`,
    find: 'confirm: true',
    replace: 'confirm: false',
    caughtBy: {
      file: `${test}/midtrans-gateway.test.ts`,
      title: 'have the published signature, and need to be confirmed',
    },
  },
  {
    name: "the signature of Digiflazz's webhooks is not checked",
    file: `${source}/digiflazz/callback.ts`,
    find: 'isSameText(signature, webhookSignature(secret, body))',
    replace: 'signature !== webhookSignature(secret, body).slice(1)',
    caughtBy: { file: `${test}/digiflazz-adapter.test.ts`, title: 'and with a wrong signature never' },
  },
  {
    name: 'a previous secret is not accepted',
    file: `${source}/http.ts`,
    find: 'previous === undefined ? [current] : [current, previous]',
    replace: '[current]',
    caughtBy: { file: `${test}/secret-rotation.test.ts`, title: 'or its previous value are accepted' },
  },
  {
    name: 'two texts are compared by their beginnings',
    file: `${source}/http.ts`,
    find: 'timingSafeEqual(digest(one), digest(other))',
    replace: 'timingSafeEqual(digest(one.slice(0, 8)), digest(other.slice(0, 8)))',
    caughtBy: { file: `${test}/http.test.ts`, title: 'compares texts of any length' },
  },
  {
    name: 'a purchase is sent again when there is no response',
    file: `${source}/http.ts`,
    find: 'ky.create({ retry: 0,',
    replace: "ky.create({ retry: { limit: 1, methods: ['post'], delay: () => 1 },",
    caughtBy: { file: `${test}/http.test.ts`, title: 'again, neither without a response nor after a 503' },
  },
  {
    name: 'the keys of a provider go where a redirect leads',
    file: `${source}/http.ts`,
    find: "redirect: 'manual'",
    replace: "redirect: 'follow'",
    caughtBy: { file: `${test}/http.test.ts`, title: 'never repeats a request, follows no redirect' },
  },
  {
    name: 'the secret of a provider is in an error',
    file: `${source}/http.ts`,
    find: "one.replaceAll(secret, '[secret]')",
    replace: 'one',
    caughtBy: { file: `${test}/http.test.ts`, title: 'takes secrets out of the texts of errors' },
  },
  {
    name: 'a conflict at Midtrans counts as certainly no payment',
    file: `${source}/http.ts`,
    find: ' && !(status >= 406 && status <= 409)',
    replace: '',
    caughtBy: { file: `${test}/midtrans-gateway.test.ts`, title: 'as certain' },
  },
  {
    name: 'a payment that Midtrans does not know yet counts as none',
    file: `${source}/midtrans/adapter.ts`,
    find: "response.statusCode === '404' && ageMs < requestLifetimeMs",
    replace: "response.statusCode === '404' && ageMs < 0",
    caughtBy: {
      file: `${test}/midtrans-gateway.test.ts`,
      title: 'says that there is none only when its request can not create one any more',
    },
  },
  {
    name: 'a payment of another total is shown to the customer',
    file: `${source}/tripay/transaction.ts`,
    find: 'data.amount !== total',
    replace: 'data.amount < total',
    caughtBy: {
      file: `${test}/tripay-gateway.test.ts`,
      title: 'calls a payment unusable when the customer has to pay fees on top',
    },
  },
  {
    name: 'a purchase at Digiflazz has no highest price',
    file: `${source}/digiflazz/adapter.ts`,
    find: 'max_price: maxPrice,',
    replace: '',
    caughtBy: { file: `${test}/digiflazz-adapter.test.ts`, title: 'is not bought above its price' },
  },
  {
    name: 'a response of Digiflazz about another purchase counts',
    file: `${source}/digiflazz/adapter.ts`,
    find: '    assertOurs(data, request);\n',
    replace: '',
    caughtBy: { file: `${test}/digiflazz-adapter.test.ts`, title: 'when it ' },
  },
  {
    name: 'Digiflazz is asked again within a minute, and buys again',
    file: `${source}/digiflazz/adapter.ts`,
    find: 'const findIntervalMs = 120_000;',
    replace: 'const findIntervalMs = 30_000;',
    caughtBy: {
      file: `${test}/digiflazz-adapter.test.ts`,
      title: 'asks more than a minute apart, and only while a ref_id is surely known',
    },
  },
  {
    name: 'VIP Reseller sells above the price of the order',
    file: `${source}/vip-reseller/adapter.ts`,
    find: 'return price > maxPrice',
    replace: 'return price < 0',
    caughtBy: { file: `${test}/vip-reseller-adapter.test.ts`, title: 'and nothing is ordered when it is ' },
  },
  {
    name: 'the id of an order at VIP Reseller is lost with its status',
    file: `${source}/vip-reseller/adapter.ts`,
    find: "(result ? outcomeOf(parsed.data) : null) ?? { state: 'pending', supplierId: parsed.data.trxid }",
    replace: "(result ? outcomeOf(parsed.data) : null) ?? { state: 'pending' }",
    caughtBy: { file: `${test}/vip-reseller-adapter.test.ts`, title: 'keeps its id, also when that ' },
  },
  {
    name: 'a payment of another total is found before the one that can be paid',
    file: `${source}/tripay/adapter.ts`,
    find: 'statuses.indexOf(row.status) * 2 + Number(row.amount !== total)',
    replace: 'statuses.indexOf(row.status) * 2',
    caughtBy: {
      file: `${test}/tripay-gateway.test.ts`,
      title: 'of two open payments of an order finds the one of its total',
    },
  },
  {
    name: 'Tripay is believed about the payment of another order',
    file: `${source}/tripay/adapter.ts`,
    find: 'if (row?.merchant_ref !== payment.orderId)',
    replace: 'if (!row)',
    caughtBy: {
      file: `${test}/tripay-gateway.test.ts`,
      title: 'does not take the payment of another order for its own',
    },
  },
  {
    name: 'a part of a secret is left where the text of an error is cut',
    file: `${source}/http.ts`,
    find: "one.replaceAll(secret, '[secret]'), text);",
    replace: "one.replaceAll(secret, '[secret]'), text.slice(0, longestText));",
    caughtBy: {
      file: `${test}/http.test.ts`,
      title: 'removes a secret from an error before it cuts the text, so that no part of one is left',
    },
  },
  {
    name: 'the details of another transaction of Tripay are shown to the customer',
    file: `${source}/tripay/adapter.ts`,
    find: 'if (detail.reference !== first.reference)',
    replace: 'if (!detail.reference)',
    caughtBy: {
      file: `${test}/tripay-gateway.test.ts`,
      title: 'takes no details of another transaction than the one that it found',
    },
  },
];
