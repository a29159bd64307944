import { RefusalWithHeaders } from '@topup-kit/core/app';
import { headers } from '@topup-kit/core/contract';
import { Refusal } from '@topup-kit/core/engine';
import type { LocalGateway } from '@topup-kit/core/gateway';
import type { Supplier } from '@topup-kit/core/supplier';
import { isScenario, type ScenarioName, scenarioHeader, scenarioNames } from './scenarios.ts';

/** What went wrong because it was asked for, so that nobody needs to be told. */
export class AskedForError extends Error {
  override readonly name = 'AskedForError';
}

/** A gateway that can't be reached while it is down. */
export const unreliableGateway = (gateway: LocalGateway, isDown: () => boolean): LocalGateway => ({
  ...gateway,
  createPayment(request) {
    if (isDown()) throw new AskedForError('scenario gateway-down');
    return gateway.createPayment(request);
  },
});

const orderOf = (reference: string): string => reference.replace(/-\d+-\d+$/, '');

/** A supplier that does to each order what its fate is. */
export const fatefulSupplier = (
  supplier: Supplier,
  fateOf: (orderId: string) => Fate['supplier'],
): Supplier => ({
  ...supplier,
  async supply(request, signal) {
    const fate = fateOf(orderOf(request.reference));
    if (fate === 'supplier-down') throw new AskedForError('scenario supplier-down');
    if (fate === 'supplier-fails') return { state: 'failed', reason: 'scenario supplier-fails' };
    return supplier.supply(request, signal);
  },
});

/** What is to become of an order, decided when it was made. */
export interface Fate {
  /** When the gateway says that its payment failed, in unix milliseconds of world time; null when it doesn't. */
  declinedAt: number | null;
  supplier: 'supplier-fails' | 'supplier-down' | null;
}

/** How long a gateway takes to decline, in milliseconds of world time. */
const declineTime = 2_000;

/** The fate that scenarios give to an order made at a moment; null when they leave it alone. */
export function fateOf(names: readonly ScenarioName[], now: number): Fate | null {
  const declinedAt = names.includes('payment-declined') ? now + declineTime : null;
  const supplier = names.find((name) => name === 'supplier-fails' || name === 'supplier-down') ?? null;
  return declinedAt === null && supplier === null ? null : { declinedAt, supplier };
}

/** The refusal that scenarios make of a call; undefined when they let it go on. */
export function faultOf(names: readonly ScenarioName[], failsThisTime: () => boolean): Refusal | undefined {
  if (names.includes('maintenance'))
    return new Refusal('UNAVAILABLE', { cause: new AskedForError('scenario maintenance') });
  if (names.includes('rate-limited'))
    return new RefusalWithHeaders('RATE_LIMITED', { [headers.retryAfter]: '1' });
  if (names.includes('flaky') && failsThisTime())
    return new Refusal('UNAVAILABLE', { cause: new AskedForError('scenario flaky') });
  return undefined;
}

/** What a request's own header asks for: scenarios, or the refusal of a name that there isn't. */
export function readScenarioHeader(request: Request): ScenarioName[] | Refusal {
  const sent = request.headers.get(scenarioHeader);
  if (sent === null) return [];
  const names = sent.split(',').map((name) => name.trim());
  if (names.every(isScenario)) return names;
  const rule = `The ${scenarioHeader} header must be one of ${scenarioNames.join(', ')}.`;
  return new Refusal('VALIDATION_ERROR', { fields: { [scenarioHeader]: [rule] } });
}
