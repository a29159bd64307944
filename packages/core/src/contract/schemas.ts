import * as z from 'zod/mini';
import type * as Wire from './types.ts';
import { buyStatuses, paymentGroups, paymentStatuses } from './types.ts';

type Identical<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? unknown
    : 'differs from the wire type';

/** Compiles only when what the schema reads is the hand-written wire type, to the field. */
const reading =
  <Type>() =>
  <Schema extends z.ZodMiniType<Type>>(schema: Schema & Identical<z.output<Schema>, Type>): Schema =>
    schema;

/** Money is an integer in the smallest unit (interface 2.4). */
const amount = z.int();
const success = z.literal(true);
const failure = z.literal(false);
const fieldErrors = z.record(z.string(), z.array(z.string()));

export const categorySchema = reading<Wire.Category>()(z.object({ id: z.int(), title: z.string() }));

export const gameSchema = reading<Wire.Game>()(
  z.object({
    id: z.int(),
    image: z.string(),
    banner: z.string(),
    title: z.string(),
    developers: z.string(),
    brand: z.string(),
    category_id: z.int(),
    slug: z.string(),
    description: z.string(),
    status: z.boolean(),
    populer: z.boolean(),
    sort: z.int(),
  }),
);

export const gameWithCategorySchema = reading<Wire.GameWithCategory>()(
  z.object({ ...gameSchema.shape, category: categorySchema }),
);

export const productSchema = reading<Wire.Product>()(
  z.object({
    id: z.int(),
    game_id: z.int(),
    code: z.string(),
    title: z.string(),
    brand: z.string(),
    logo: z.string(),
    image: z.string(),
    selling_price: amount,
    promo_price: z.nullable(amount),
    is_promo: z.boolean(),
    category: z.nullable(categorySchema),
    status: z.boolean(),
  }),
);

export const targetFieldSchema = reading<Wire.TargetField>()(
  z.object({
    name: z.enum(['id', 'server']),
    label: z.string(),
    required: z.boolean(),
    options: z.exactOptional(z.array(z.string())),
  }),
);

export const gameDetailSchema = reading<Wire.GameDetail>()(
  z.object({
    ...gameWithCategorySchema.shape,
    products: z.array(productSchema),
    fields: z.array(targetFieldSchema),
  }),
);

export const paymentMethodSchema = reading<Wire.PaymentMethod>()(
  z.object({
    id: z.int(),
    code: z.string(),
    name: z.string(),
    images: z.string(),
    group: z.enum(paymentGroups),
    type: z.enum(['direct', 'redirect']),
    fee: amount,
    fee_percent: z.number(),
    minimum_amount: amount,
    maximum_amount: amount,
    status: z.boolean(),
  }),
);

export const pricingSchema = reading<Wire.Pricing>()(
  z.object({
    quantity: z.int(),
    has_promo: z.boolean(),
    promo_code: z.nullable(z.string()),
    unit_price_before_promo: amount,
    unit_discount: amount,
    unit_price_after_promo: amount,
    subtotal_before_promo: amount,
    promo_discount: amount,
    subtotal_after_promo: amount,
    payment_fee: amount,
    unique_code: amount,
    total_price: amount,
  }),
);

export const orderSchema = reading<Wire.Order>()(
  z.object({
    order_id: z.string(),
    payment_status: z.enum(paymentStatuses),
    buy_status: z.enum(buyStatuses),
    payment_url: z.string(),
    payment_code: z.string(),
    payment_reference: z.string(),
    qr_url: z.nullable(z.string()),
    expired_at: z.string(),
    quantity: z.int(),
    total_price: amount,
    pricing: pricingSchema,
  }),
);

export const invoiceOrderSchema = reading<Wire.InvoiceOrder>()(
  z.object({
    order_id: z.string(),
    games: z.string(),
    product: z.string(),
    code_product: z.string(),
    id_games: z.string(),
    server_games: z.nullable(z.string()),
    nickname: z.nullable(z.string()),
    email: z.nullable(z.string()),
    whatsapp: z.string(),
    quantity: z.int(),
    price: amount,
    discount_price: amount,
    promo_discount: amount,
    fee: amount,
    total_price: amount,
    payment_name: z.string(),
    payment_method: z.string(),
    payment_code: z.string(),
    payment_code_display: z.string(),
    payment_url: z.string(),
    qr_string: z.exactOptional(z.string()),
    qr_image_url: z.exactOptional(z.string()),
    expired_time: z.int(),
    payment_status: z.enum(paymentStatuses),
    buy_status: z.enum(buyStatuses),
    serial_number: z.exactOptional(z.string()),
    created_at: z.string(),
    pricing: pricingSchema,
  }),
);

export const invoiceGameSchema = reading<Wire.InvoiceGame>()(
  z.omit(gameSchema, { category_id: true, sort: true }),
);

export const invoiceProductSchema = reading<Wire.InvoiceProduct>()(
  z.object({
    id: z.int(),
    code: z.string(),
    title: z.string(),
    brand: z.string(),
    logo: z.string(),
    game_image: z.string(),
    image: z.string(),
  }),
);

export const paymentStateSchema = reading<Wire.PaymentState>()(
  z.object({
    order_id: z.string(),
    payment_status: z.enum(paymentStatuses),
    buy_status: z.enum(buyStatuses),
    expired_time: z.int(),
  }),
);

export const promoValidationSchema = reading<Wire.PromoValidation>()(
  z.object({
    promo: z.object({
      code: z.string(),
      discount_type: z.enum(['PERCENT', 'FIXED']),
      discount_value: z.number(),
    }),
    pricing: z.object({ base_price: amount, discount: amount, final_price: amount }),
  }),
);

/** The schema of each operation's successful answer. */
export const answerSchemas = {
  listGames: reading<Wire.GameListAnswer>()(
    z.object({ success, games: z.array(gameWithCategorySchema), populerGames: z.array(gameSchema) }),
  ),
  getGame: reading<Wire.GameAnswer>()(z.object({ success, data: gameDetailSchema })),
  getCheckout: reading<Wire.CheckoutAnswer>()(
    z.object({ success, game: gameDetailSchema, paymentMethods: z.array(paymentMethodSchema) }),
  ),
  createOrder: reading<Wire.OrderCreatedAnswer>()(
    z.object({ success, message: z.string(), orderId: z.string(), data: orderSchema }),
  ),
  getInvoice: reading<Wire.InvoiceAnswer>()(
    z.object({ success, order: invoiceOrderSchema, game: invoiceGameSchema, product: invoiceProductSchema }),
  ),
  validatePromo: reading<Wire.PromoValidationAnswer>()(
    z.object({ success, message: z.string(), data: promoValidationSchema }),
  ),
  getPaymentStatus: reading<Wire.PaymentStatusAnswer>()(z.object({ success, data: paymentStateSchema })),
};

/** The schema of each error shape of interface 7.1. */
export const errorSchemas = {
  message: reading<Wire.MessageBody>()(z.object({ message: z.string() })),
  business: reading<Wire.BusinessBody>()(z.object({ success: failure, message: z.string() })),
  validation: reading<Wire.ValidationBody>()(z.object({ message: z.string(), errors: fieldErrors })),
  envelope: reading<Wire.EnvelopeBody>()(
    z.object({ success: failure, message: z.string(), error_code: z.string(), errors: fieldErrors }),
  ),
};
