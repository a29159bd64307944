import { type SandboxAction, sandboxActions } from '../engine/index.ts';
import { ownPaths } from './own-paths.ts';

/** A control route of a sandbox, for its documentation (source: ours). */
export interface SandboxRoute {
  method: 'GET' | 'POST';
  path: string;
  effect: string;
  /** A valid body; left out where none is needed. */
  example?: Record<string, string>;
}

const effects: Record<SandboxAction, string> = {
  pay: 'the gateway reports that the order was paid',
  fail: 'the gateway reports that the payment failed',
  expire: 'the order expires now',
  'pay-late': 'an unpaid or expired order is paid after its time was over',
  'pay-wrong-amount': 'an unpaid order is paid with one less than its total',
  'pay-again': 'a paid order is paid a second time',
  'pay-unknown': "the order's total is paid with a reference that no order has",
  deliver: 'the supplier delivers all of it now',
  'fail-delivery': "the supplier can't deliver what is left: the order becomes `PAID / Gagal`",
  'lose-delivery': 'the outcome of what is not delivered yet is lost: nobody can ask for it any more',
  'contradict-delivery': 'the supplier says the opposite of each outcome that it gave',
  refund:
    'an order whose delivery failed is refunded; of one that was paid twice, the refund waits for an operator',
};

/** What can be done with an order, by a route each. */
export const sandboxActionRoutes: SandboxRoute[] = sandboxActions.map((action) => ({
  method: 'POST',
  path: `${ownPaths.sandbox}/orders/{order_id}/${action}`,
  effect: effects[action],
}));

/** The other control routes. */
export const sandboxWorldRoutes: SandboxRoute[] = [
  {
    method: 'POST',
    path: `${ownPaths.sandbox}/advance`,
    effect:
      "moves the sandbox's clock forward; what falls due in that time is done, in its order; in sum at most ten years (`3650d`) until a reset",
    example: { by: '31m' },
  },
  {
    method: 'POST',
    path: `${ownPaths.sandbox}/scenario`,
    effect: 'turns a simulated fault (a scenario) on, until you set `none`',
    example: { name: 'supplier-down' },
  },
  {
    method: 'POST',
    path: `${ownPaths.sandbox}/reset`,
    effect: 'deletes all orders, sets the clock to real time, ends the scenario',
  },
  {
    method: 'GET',
    path: ownPaths.sandbox,
    effect:
      "shows the sandbox's time, how many milliseconds it is ahead of real time (`ahead_ms`), the current scenario, and all scenarios",
  },
];
