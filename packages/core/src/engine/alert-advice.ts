/** What an operator does about an alert. docs/runbook.md has the same words, and more; a test compares them. */
export interface AlertAdvice {
  text: string;
  /**
   * Commands of `topup` that help, in this order. `<order-id>`, `<payment>`, `<refund>` and `<callback-id>` stand for what the alert names, all
   * other words in brackets for what the operator writes.
   */
  commands: readonly string[];
}

const showOrder = 'orders show <order-id> --history';
const markDelivered = "orders mark <order-id> --delivered --note '<how you know>'";
const markFailed = "orders mark <order-id> --failed --note '<how you know>'";

const advice = {
  'waiting-for-balance': {
    text: 'Deposit money at the supplier. The server notices it within seconds and delivers the orders. To try one at once, retry it.',
    commands: ['orders retry <order-id>'],
  },
  'stuck-orders': {
    text: 'See why. If an item waits to be bought, the server tries again by itself: to try now, retry the order. If the supplier is down, wait: the server goes on asking. If the outcome is unknown, find out at the supplier what was delivered, and mark the order.',
    commands: [showOrder, 'orders retry <order-id>', markDelivered, markFailed],
  },
  'failed-deliveries': {
    text: "See the supplier's reason. Where it can be mended, mend it, and retry. Otherwise pay the money back, and record the refund.",
    commands: [showOrder, 'orders retry <order-id>', "orders refund <order-id> --note '<how>'"],
  },
  contradictions: {
    text: 'Ask the supplier which of its reports holds, and mark the order. Before that, neither retry nor refund it.',
    commands: [showOrder, markDelivered, markFailed],
  },
  'money-without-an-order': {
    text: "Check in the gateway's dashboard that the money really came. Then give the customer the order, or pay the money back.",
    commands: [
      'orders reconcile',
      'orders reconcile --settle <payment>',
      "orders reconcile --return <payment> --note '<how>'",
    ],
  },
  'refunded-payments': {
    text: "Look in the gateway's dashboard how much was paid back, and why. What is open of the order is still delivered, unless you mark it as failed.",
    commands: ['orders reconcile', "orders reconcile --return <payment> --note '<what you did>'"],
  },
  'unpaid-refunds': {
    text: 'Pay the customers back, by the gateway or by transfer, and record each. One that is not owed after all is cancelled.',
    commands: [
      'orders refunds',
      "orders refunds --paid <refund> --reference '<number of the transfer>'",
      "orders refunds --cancel <refund> --note '<why>'",
    ],
  },
  'unclear-payments': {
    text: 'The server asks the gateway until it knows: see its log. If the gateway works and its dashboard has no payment of the order, give the order up.',
    commands: ["orders abandon <order-id> --note '<what you found>'"],
  },
  'low-balance': {
    text: 'Deposit money at the supplier, before orders have to wait for it.',
    commands: [],
  },
  'products-below-cost': {
    text: 'Sync: prices that follow a margin rule are raised, and their products open by themselves. With TOPUP_SYNC_MINUTES=1 the server does it after each list. Raise locked prices by hand.',
    commands: ['catalog sync --yes', 'catalog set-price <code> <rupiah>'],
  },
  'rejected-requests': {
    text: 'If the provider is down (no response, or a status from 500 up), wait, or close its payment methods or products. Otherwise compare the keys, the base URL and the allowed addresses with the dashboard. Paid orders wait meanwhile. It ends with the next request of the kind that succeeds.',
    commands: [],
  },
  'failing-callbacks': {
    text: 'Payments and deliveries are still found by asking, only later. See why the callbacks fail.',
    commands: ['callbacks list --outcome rejected', 'callbacks show <callback-id>'],
  },
  'failing-webhooks': {
    text: 'See what the endpoint responds, and tell who runs it. Once it works, enable it, and send again what it missed.',
    commands: [
      'webhooks deliveries --endpoint <endpoint-id> --attempts',
      'webhooks edit <endpoint-id> --enable',
      'webhooks resend --endpoint <endpoint-id> --failed-since <time>',
    ],
  },
  'rejected-by-limits': {
    text: 'Customers of these keys were told "Too Many Attempts." Give a site that serves many customers a key that was created with --trusted, and let it name the customer of each request in X-Topup-Customer-IP. Otherwise raise TOPUP_READS_PER_MINUTE or TOPUP_ORDERS_PER_MINUTE. If a single customer sends too much, do nothing.',
    commands: [],
  },
} as const satisfies Record<string, AlertAdvice>;

/** What an operator has to look after; each is a section of docs/runbook.md, too. */
export type AlertKind = keyof typeof advice;

export const alertKinds = Object.keys(advice) as AlertKind[]; // safe: the keys of a const table

/** One table for doctor and whatever else shows alerts. */
export const alertAdvice: Readonly<Record<AlertKind, AlertAdvice>> = advice;
