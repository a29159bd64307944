import * as z from 'zod/mini';
import { explain, jsonObject } from '../simulator.ts';

/** The length is counted in characters, not in UTF-16 units. */
const text = z
  .string()
  .check(z.refine((value) => [...value].length <= 255, 'must have at most 255 characters'));
const required = text.check(z.minLength(1));

const whole = z.union([
  z.int().check(z.nonnegative()),
  z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number)),
]);

const orderItem = z.object({
  sku: z.optional(text),
  name: required,
  price: whole,
  quantity: whole,
  product_url: z.optional(z.string()),
  image_url: z.optional(z.string()),
});

const webAddress = z.url({ protocol: /^https?$/ });

const createRequest = z.object({
  method: required,
  merchant_ref: z._default(z.string(), ''),
  amount: whole,
  customer_name: required,
  customer_email: required,
  customer_phone: z.optional(z.string()),
  order_items: z.array(orderItem).check(z.minLength(1)),
  callback_url: z.optional(webAddress),
  return_url: z.optional(webAddress),
  expired_time: z.optional(whole),
  signature: required,
});

export type CreateRequest = z.infer<typeof createRequest>;

/** Reads a form with items such as `order_items[0][name]`. */
function readForm(body: string): Record<string, unknown> {
  const fields = new Map<string, string>();
  const items = new Map<string, Record<string, string>>();
  for (const [name, value] of new URLSearchParams(body)) {
    const [, index, key] = /^order_items\[(\d+)\]\[(\w+)\]$/.exec(name) ?? [];
    if (index === undefined || key === undefined) fields.set(name, value);
    else items.set(index, { ...items.get(index), [key]: value });
  }
  return { ...Object.fromEntries(fields), order_items: [...items.values()] };
}

/** Reads the body of a new transaction, JSON or a form; returns an error message for an invalid body. */
export function readCreateRequest(body: string, contentType: string | null): CreateRequest | string {
  const isForm = (contentType ?? '').startsWith('application/x-www-form-urlencoded');
  const { success, data, error } = createRequest.safeParse(isForm ? readForm(body) : jsonObject(body));
  return success ? data : explain(error);
}
