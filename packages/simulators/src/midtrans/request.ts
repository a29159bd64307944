import * as z from 'zod/mini';
import { explain, jsonObject } from '../simulator.ts';

const customExpiry = z.object({
  expiry_duration: z.int().check(z.positive()),
  unit: z._default(z.enum(['second', 'minute', 'hour', 'day']), 'minute'),
});

const unitMs = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };

const itemText = z
  .string()
  .check(z.refine((text) => [...text].length <= 50, 'must have at most 50 characters'));
const item = z.object({ id: z.optional(itemText), name: itemText });

const common = {
  item_details: z.optional(z.array(item)),
  transaction_details: z.object({
    order_id: z.string().check(z.regex(/^[A-Za-z0-9\-_~.]{1,50}$/)),
    gross_amount: z.int().check(z.positive()),
  }),
  custom_expiry: z.optional(customExpiry),
};

const chargeRequest = z.discriminatedUnion('payment_type', [
  z.object({
    ...common,
    payment_type: z.literal('qris'),
    qris: z.optional(z.object({ acquirer: z._default(z.string(), 'gopay') })),
  }),
  z.object({
    ...common,
    payment_type: z.literal('bank_transfer'),
    bank_transfer: z.object({ bank: z.enum(['bca', 'bni', 'bri']) }),
  }),
  z.object({ ...common, payment_type: z.literal('echannel') }),
]);

export type ChargeRequest = z.infer<typeof chargeRequest>;

/** The default time to pay, in milliseconds. */
const defaultExpiryMs = { qris: 15 * 60_000, bank_transfer: 86_400_000, echannel: 86_400_000 };

/** Returns the time to pay, in milliseconds. */
export function expiryOf({ custom_expiry: custom, payment_type: type }: ChargeRequest): number {
  return custom ? custom.expiry_duration * unitMs[custom.unit] : defaultExpiryMs[type];
}

/** Reads the body of a charge; returns an error message for an invalid body. */
export function readChargeRequest(body: string): ChargeRequest | string {
  const { success, data, error } = chargeRequest.safeParse(jsonObject(body));
  return success ? data : explain(error);
}
