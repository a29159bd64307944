import {
  ambiguousStatuses,
  type BuyStatus,
  type Dialect,
  type DialectOverrides,
  headers,
  isExpiryMinutes,
  kitDialect,
  type Locale,
  orderFields,
  type PaymentGroup,
  type PaymentStatus,
  paymentGroups,
} from '@topup-kit/core/contract';
import { nonexistent } from '../assertions.ts';
import { isContainer, numberAt, objectsAt, textAt, valueAt } from '../json.ts';
import {
  type ConformanceTarget,
  createProbe,
  type Probe,
  type ProbedResponse,
  type SandboxControls,
} from '../probe.ts';
import { createDialectBuilder, type DialectBuilder, emptyFormOf, errorShapeOf } from './dialect-builder.ts';
import { createRepeatedReads, type Read } from './repeated-reads.ts';

/** The learned part of a service's dialect. */
interface LearnedDialect {
  dialect: DialectOverrides;
  /** The entries that could not be learned, such as `errorBodies.rateLimited`. */
  unknown: string[];
}

/**
 * Learns a service's dialect: its behaviour where the interface leaves a choice open. Without `writes`, it sends only GET requests. With
 * `writes`, it places about seven orders, or about twelve on a target with sandbox controls.
 *
 * @throws ConformanceFailure if the service can't be reached.
 * @example
 * const { dialect } = await learnDialect({ baseUrl, apiKey, fetch, fixture }, { signal });
 * createTopupMock({ dialect: completeDialect(dialect) });
 */
export async function learnDialect(
  target: ConformanceTarget,
  { writes = false, signal }: { writes?: boolean; signal: AbortSignal },
): Promise<LearnedDialect> {
  const needs = writes ? 'writes' : 'reads';
  const probe = createProbe({ needs, cites: [] }, { ...target, dialect: kitDialect }, { signal, notes: [] });
  const builder = createDialectBuilder();
  await learnFromReads(probe, builder);
  if (writes) {
    await learnFromRejectedOrders(probe, builder);
    await learnFromPlacedOrders(probe, builder);
    await learnExpiry(probe, builder);
    if (target.sandbox) await learnStatuses(probe, target.sandbox, builder);
  }
  return { dialect: builder.dialect, unknown: builder.unknown() };
}

const comparableContent = ({ request, status, text, headers: received }: ProbedResponse): string => {
  const path = request.slice(request.indexOf('/') + 1);
  return `${status} ${received.get(headers.errorCode)} ${text.replaceAll('\\/', '/').replaceAll(path, '')}`;
};

/** Tells whether a route exists, by its response for an unknown id. */
function isRoute(
  response: ProbedResponse | undefined,
  noRoute: ProbedResponse | undefined,
): boolean | undefined {
  if (response?.status === 200) return true;
  return response?.status === 404 && noRoute
    ? comparableContent(response) !== comparableContent(noRoute)
    : undefined;
}

/** Tells whether a route exists, by its response for an existing id. */
const isFound = (response: ProbedResponse | undefined): boolean | undefined =>
  new Map([
    [200, true],
    [404, false],
  ]).get(response?.status ?? 0);

/** Tells whether responses have a header; undefined without a response. */
const hasHeader = (name: string, ...responses: (ProbedResponse | undefined)[]): boolean | undefined => {
  const received = responses.filter((response) => response !== undefined);
  return received.length === 0 ? undefined : received.some((response) => response.headers.has(name));
};

/** Learns from GET requests, one of them without a key. */
async function learnFromReads(probe: Probe, builder: DialectBuilder): Promise<void> {
  const read = createRepeatedReads(probe);
  const { order } = probe.fixture;
  const slug = encodeURIComponent(order.game);
  const list = await read('/games');
  const noRoute = await read('/no-such-route-at-all');
  const game = await read(`/games/${slug}`);
  const checkout = await read(`/order/${slug}`);
  const invoice = await read(`/invoice/${nonexistent.orderId}`);
  const status = await read(`/invoice/${nonexistent.orderId}/payment-status`);
  const noGame = await read(`/games/${nonexistent.game}`);

  // If the list could not be read, the fixture's game may not exist on the service. A 404 then concerns the game.
  const isListed = objectsAt(list?.body, 'games').some((listed) => listed.slug === order.game);
  const ofGame = (response: ProbedResponse | undefined): boolean | undefined =>
    isFound(response) === false && !isListed ? undefined : isFound(response);
  const routes = {
    getGame: ofGame(game),
    getCheckout: ofGame(checkout),
    listOrders: isFound(await read('/orders?limit=1')),
    getInvoice: isRoute(invoice, noRoute),
    getPaymentStatus: isRoute(status, noRoute),
    validatePromo: await hasPostRoute(read, '/promo/validate'),
    checkAccount: await hasPostRoute(read, '/account/check'),
    listEvents: isFound(await read('/events?limit=1')),
  };
  builder.setIn('routes', routes);
  const missing = [routes.getGame && noGame, routes.getInvoice && invoice, routes.getPaymentStatus && status];
  const notFound = missing.find((response) => typeof response === 'object');
  builder.setIn('errorBodies', {
    http: noRoute?.status === 404 ? errorShapeOf(noRoute) : undefined,
    notFound: notFound && errorShapeOf(notFound),
  });

  const rejected = await read('/games', { [headers.apiKey]: null });
  builder.setIn('headers', {
    errorCode: hasHeader(headers.errorCode, rejected, noRoute),
    requestId: hasHeader(headers.requestId, list),
    rateLimit: list && rateLimitOf(list),
    etag: hasHeader(headers.etag, list),
  });
  const wanted = (locale: Locale) => read('/no-such-route-at-all', { [headers.acceptLanguage]: locale });
  builder.set('language', languageChoiceOf(await wanted('id'), await wanted('en')));
  const unwanted = await read('/games', { Accept: '*/*' });
  builder.set('acceptRequired', list && unwanted && unwanted.status !== list.status);
  builder.set('emptyFields', emptyFormOf([game?.body, checkout?.body]));
}

/** Learns whether the language of messages follows the request, by requesting the same error in two languages. */
function languageChoiceOf(
  first: ProbedResponse | undefined,
  second: ProbedResponse | undefined,
): Dialect['language'] | undefined {
  const messages = [first, second].map((response) => textAt(response?.body, 'message'));
  if (messages.includes(undefined)) return undefined;
  return messages[0] === messages[1] ? 'fixed' : 'requested';
}

/**
 * Learns whether the rate-limit headers are sent. Unknown without such headers, because there may be no rate limit; false if the service
 * uses other header names.
 */
function rateLimitOf({ headers: received }: ProbedResponse): boolean | undefined {
  if (received.has(headers.rateLimit)) return true;
  return received.has('X-RateLimit-Limit') ? false : undefined;
}

/** Tells whether a POST route exists, by its response to GET; unknown unless `GET /order` is a 405. */
async function hasPostRoute(read: Read, path: string): Promise<boolean | undefined> {
  if ((await read('/order'))?.status !== 405) return undefined;
  return new Map([
    [404, false],
    [405, true],
  ]).get((await read(path))?.status ?? 0);
}

const shapeOn = (response: ProbedResponse, status: number): ReturnType<typeof errorShapeOf> =>
  response.status === status ? errorShapeOf(response) : undefined;

/** Returns the fields that a 422 names, in the sequence of the response; undefined for any other response. */
function namedFields({ status, body }: ProbedResponse): string[] | undefined {
  const errors = valueAt(body, 'errors');
  return status === 422 && isContainer(errors) ? Object.keys(errors) : undefined;
}

/** The fields that every service knows. */
const interfaceFields = orderFields.filter(({ source }) => source !== 'ours');

/** Learns the sequence in which fields are checked, by the response to an order with only invalid fields. */
async function learnFieldOrder({ post }: Probe): Promise<Dialect['fieldOrder'] | undefined> {
  const wrong = interfaceFields.map(({ name, type }) => [name, type === 'integer' ? 'x' : ['x']]);
  const named = namedFields(await post(Object.fromEntries(wrong)));
  const order = named?.flatMap((field) => interfaceFields.filter(({ name }) => name === field));
  if (order?.length !== interfaceFields.length) return undefined;
  const names = order.map(({ name }) => name);
  return names.every((name, index) => name === interfaceFields[index]?.name) ? [] : names;
}

/** Learns whether the alias is accepted, by the response to an invalid order. */
async function learnAlias({ order, fixture }: Probe): Promise<boolean | undefined> {
  const alias = { whatsapp: undefined, messenger_number: fixture.order.whatsapp };
  const named = namedFields(await order({ ...alias, quantity: 'two' }));
  return named && !named.some((field) => field === 'whatsapp' || field === 'messenger_number');
}

/** Learns whether `return_url` is read, by the response to an invalid order. */
async function learnReturnUrl({ order }: Probe): Promise<boolean | undefined> {
  return namedFields(await order({ return_url: 'nowhere', quantity: 'two' }))?.includes('return_url');
}

/** Learns whether phone numbers are checked, by the response to an invalid order. */
async function learnPhoneNumbers({ order }: Probe): Promise<Dialect['phoneNumbers'] | undefined> {
  const named = namedFields(await order({ whatsapp: 'hello', quantity: 'two' }));
  return named && (named.includes('whatsapp') ? 'checked' : 'text');
}

/** Learns whether texts are cleaned, by the response to an invalid order. */
async function learnTexts({ order }: Probe): Promise<Dialect['texts'] | undefined> {
  const named = namedFields(await order({ nickname: 'a\u0000b', quantity: 'two' }));
  return named && (named.includes('nickname') ? 'cleaned' : 'kept');
}

/** Learns from invalid orders, which the service rejects. */
async function learnFromRejectedOrders(probe: Probe, builder: DialectBuilder): Promise<void> {
  builder.set('fieldOrder', await learnFieldOrder(probe));
  builder.set('messengerNumber', await learnAlias(probe));
  builder.set('returnUrl', await learnReturnUrl(probe));
  builder.set('phoneNumbers', await learnPhoneNumbers(probe));
  builder.set('texts', await learnTexts(probe));
  const json = { 'Content-Type': 'application/json' };
  builder.setIn('errorBodies', {
    malformed: shapeOn(await probe.send('POST', '/order', { body: '{', headers: json }), 422),
    notFound: shapeOn(await probe.order({ game: nonexistent.game }), 404),
    promo: shapeOn(await probe.order({ promo_code: nonexistent.promoCode }), 422),
  });
}

/** Names of time zones for common offsets. The live services use Asia/Jakarta. */
const zones: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({ '+00:00': 'UTC', Z: 'UTC', '+07:00': 'Asia/Jakarta' }),
);

function zoneOf(response: ProbedResponse): string | undefined {
  const [offset] = /([+-]\d\d:\d\d|Z)$/.exec(textAt(response.body, 'data.expired_at') ?? '') ?? [];
  return offset === undefined ? undefined : (zones.get(offset) ?? offset);
}

function idempotencyOf(first: ProbedResponse, second: ProbedResponse): Dialect['idempotency'] | undefined {
  const id = textAt(first.body, 'orderId');
  if (id === undefined || second.status !== first.status) return undefined;
  if (textAt(second.body, 'orderId') !== id) return 'ignored';
  return second.headers.has(headers.idempotencyKey) ? 'honoured' : 'silent';
}

/** Learns from placed orders: one, or two if the service ignores idempotency keys. */
async function learnFromPlacedOrders(probe: Probe, builder: DialectBuilder): Promise<void> {
  const key = { [headers.idempotencyKey]: crypto.randomUUID() };
  const first = await probe.order({}, key);
  if (first.status !== 201) return;
  builder.set('timezone', zoneOf(first));
  const idempotency = idempotencyOf(first, await probe.order({}, key));
  builder.set('idempotency', idempotency);
  if (idempotency === 'honoured' || idempotency === 'silent')
    builder.setIn('errorBodies', { idempotency: shapeOn(await probe.order({ quantity: 2 }, key), 409) });
  const invoice = await probe.get(`/invoice/${textAt(first.body, 'orderId')}`);
  if (builder.dialect.emptyFields === undefined) builder.set('emptyFields', emptyFormOf([invoice.body]));
}

const minute = 60_000;

/** Finds one active payment method of each group in the checkout. */
async function methodsByGroup({ get, fixture }: Probe): Promise<[PaymentGroup, number][]> {
  const { body } = await get(`/order/${encodeURIComponent(fixture.order.game)}`);
  const methods = objectsAt(body, 'paymentMethods').filter(({ status }) => status === true);
  return paymentGroups.flatMap((group): [PaymentGroup, number][] => {
    const id = numberAt(
      methods.find((method) => method.group === group),
      'id',
    );
    return id === undefined ? [] : [[group, id]];
  });
}

/** Places an order and returns its time to pay in minutes, based on the invoice's creation time or else on the local clock. */
async function minutesOf(probe: Probe, payment_method_id: number): Promise<number | undefined> {
  const { status, body } = await probe.order({ payment_method_id });
  const expiry = Date.parse(textAt(body, 'data.expired_at') ?? '');
  if (status !== 201 || Number.isNaN(expiry)) return undefined;
  const invoice = await probe.get(`/invoice/${textAt(body, 'orderId')}`);
  const created = Date.parse(textAt(invoice.body, 'order.created_at') ?? '');
  const minutes = Math.round((expiry - (Number.isNaN(created) ? Date.now() : created)) / minute);
  return isExpiryMinutes(minutes) ? minutes : undefined;
}

/** Learns the time to pay for each group of payment methods, by one order each. */
async function learnExpiry(probe: Probe, builder: DialectBuilder): Promise<void> {
  for (const [group, methodId] of await methodsByGroup(probe))
    builder.setIn('expiryMinutes', { [group]: await minutesOf(probe, methodId) });
}

type Action = Parameters<SandboxControls['act']>[1];

/** Sandbox actions and the resulting states, with this kit's names (`docs/open-points.md`, states). */
const paths: [actions: Action[], payment: PaymentStatus, buy: BuyStatus][] = [
  [['pay'], 'PAID', 'Proses'],
  [['pay', 'deliver'], 'PAID', 'Sukses'],
  [['expire'], 'EXPIRED', 'Batal'],
  [['fail'], 'FAILED', 'Batal'],
];

/** Tells whether all names differ; a dialect with ambiguous names would be invalid. */
const distinct = (entry: 'paymentStatuses' | 'buyStatuses', names: Record<string, string>): boolean =>
  ambiguousStatuses(entry, { ...kitDialect[entry], ...names }).length === 0;

async function learnStatuses(probe: Probe, { act }: SandboxControls, builder: DialectBuilder): Promise<void> {
  const paymentStatuses: Partial<Record<PaymentStatus, string>> = {};
  const buyStatuses: Partial<Record<BuyStatus, string>> = {};
  for (const [actions, payment, buy] of paths) {
    const orderId = textAt((await probe.order()).body, 'orderId');
    if (orderId === undefined) break;
    for (const action of actions) await act(orderId, action);
    const { body } = await probe.get(`/invoice/${orderId}/payment-status`);
    const names = { payment: textAt(body, 'data.payment_status'), buy: textAt(body, 'data.buy_status') };
    if (names.payment !== undefined) paymentStatuses[payment] = names.payment;
    if (names.buy !== undefined) buyStatuses[buy] = names.buy;
  }
  // States that were not reached keep this kit's names.
  if (distinct('paymentStatuses', paymentStatuses)) builder.setIn('paymentStatuses', paymentStatuses);
  if (distinct('buyStatuses', buyStatuses)) builder.setIn('buyStatuses', buyStatuses);
}
