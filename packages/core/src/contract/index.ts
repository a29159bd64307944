export {
  ambiguousStatuses,
  type Dialect,
  errorBodiesOf,
  errorShapes,
  inFieldOrder,
  interfaceOnly,
  isExpiryMinutes,
  kitDialect,
  orderRules,
  rulesIn,
  servedOperations,
  statusesByName,
  statusReplacer,
  withheldHeaders,
} from './dialect/dialect.ts';
export { type EmptyFields, emptyFieldsOf, writeEmptyFields } from './dialect/empty-fields.ts';
export { completeDialect, type DialectChanges, InvalidDialectError, parseDialect } from './dialect/file.ts';
export { endpoints } from './endpoints.ts';
export {
  dependsOnLanguage,
  type ErrorCode,
  type ErrorCodeIn,
  type ErrorDefinition,
  type ErrorShape,
  errors,
  isAboutFields,
  type MessageParam,
  orderCreatedMessage,
  promoValidMessage,
} from './errors.ts';
export {
  type FieldErrors,
  type FieldFailure,
  fieldMessage,
  fieldMessages,
  messagesByField,
  summarise,
} from './field-messages.ts';
export {
  defaultFieldLimits,
  type FieldLimits,
  type FieldRule,
  type Fields,
  normaliseFields,
  type OrderInput,
  type OrderListInput,
  orderFields,
  orderListFields,
  orderPayload,
  type PromoInput,
  promoFields,
  validateFields,
} from './fields.ts';
export { formatMoney, parseDuration } from './format.ts';
export {
  type BuyStatus,
  buyStatuses,
  type Category,
  type CreateOrderRequest,
  type CreateOrderResponse,
  type DiscountType,
  discountTypes,
  type ErrorBody,
  type FailureReason,
  failureReasons,
  type Game,
  type GameDetail,
  type GameWithCategory,
  type GetCheckoutResponse,
  type GetGameResponse,
  type GetInvoiceResponse,
  type GetPaymentStatusResponse,
  type InvoiceGame,
  type InvoiceOrder,
  type InvoiceProduct,
  type ListedOrder,
  type ListGamesResponse,
  type ListOrdersQuery,
  type ListOrdersResponse,
  type Order,
  type PaymentGroup,
  type PaymentMethod,
  type PaymentMethodType,
  type PaymentState,
  type PaymentStatus,
  type Pricing,
  type Product,
  type Promo,
  type PromoPricing,
  type PromoValidation,
  paymentGroups,
  paymentMethodTypes,
  paymentStatuses,
  type Responses,
  type TargetField,
  type TargetFieldName,
  targetFieldNames,
  type ValidatePromoRequest,
  type ValidatePromoResponse,
  type ValidationBody,
} from './generated/types.ts';
export { headers, idempotencyKeyLength } from './headers.ts';
export { chooseLocale, type Locale, type Localised, locales } from './locale.ts';
export { editDistance, nearest } from './nearest.ts';
export {
  byPaymentGroup,
  hasUniqueCode,
  type PaymentCodeKind,
  type PaymentIcon,
  paymentInstructions,
  paymentKinds,
} from './payment-kinds.ts';
export { isPhone, normalPhone, phoneDigits } from './phone.ts';
export {
  type ErrorArguments,
  errorBody,
  exampleError,
  type LocaleSettings,
  type OutsideRequest,
  type RaisedError,
} from './raised-error.ts';
export { returnAddress } from './return-url.ts';
export {
  commonErrors,
  type Operation,
  operations,
  pathPattern,
  type Route,
  readsCatalog,
  routes,
  type Scope,
  scopes,
} from './routes.ts';
export {
  categorySchema,
  errorSchemas,
  gameSchema,
  gameWithCategorySchema,
  orderIdPattern,
  orderSchema,
  pricingSchema,
  responseSchemas,
} from './schemas.ts';
export type { Source } from './source.ts';
export { unitPrice } from './unit-price.ts';
