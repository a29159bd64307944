import { defaultLimits } from '@topup-kit/core/app';
import { createOpenApi } from '@topup-kit/core/openapi';
import type { OrderEvent } from '@topup-kit/sdk';

/** The webhooks that the contract documents. */
const { webhooks } = createOpenApi({ serverUrl: 'https://shop.test/api', limits: defaultLimits });

/** The documented examples of bodies, by the type of the event. */
export const bodies: ReadonlyMap<string, string> = new Map(
  Object.entries(webhooks).map(([type, { post }]) => [
    type,
    JSON.stringify(post.requestBody.content['application/json'].examples.event?.value),
  ]),
);

// Safe: this is an example from the contract, which has the types of the SDK.
export const paid = JSON.parse(bodies.get('order.paid') ?? '') as Omit<OrderEvent, 'id'>;

const secretOf = (byte: number): string => `whsec_${btoa(String.fromCharCode(byte).repeat(32))}`;

export const secret: string = secretOf(1);
export const otherSecret: string = secretOf(2);

/** A moment in unix milliseconds. */
export const now: number = Date.UTC(2026, 2, 28, 3, 5);
