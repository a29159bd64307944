import { type Dialect, headers, orderFields } from '../../contract/index.ts';
import { isContainer, valueAt } from '../json-path.ts';
import type { Answer, Probe } from '../probe.ts';
import { nothing } from '../refusal.ts';
import { emptyFieldsOf } from './empty-fields.ts';
import { errorShapeOf } from './error-shape.ts';
import type { Lessons } from './lessons.ts';
import { textAt } from './read-json.ts';

const shapeOn = (answer: Answer, status: number): ReturnType<typeof errorShapeOf> =>
  answer.status === status ? errorShapeOf(answer) : undefined;

/** The fields of an order that a 422 names, in its order; undefined for any other answer. */
function namedFields({ status, body }: Answer): string[] | undefined {
  const errors = valueAt(body, 'errors');
  return status === 422 && isContainer(errors) ? Object.keys(errors) : undefined;
}

/** The order of all fields, told by an order in which every one is wrong. */
async function learnFieldOrder({ post }: Probe): Promise<Dialect['fieldOrder'] | undefined> {
  const wrong = orderFields.map(({ name, type }) => [name, type === 'integer' ? 'x' : ['x']]);
  const named = namedFields(await post(Object.fromEntries(wrong)));
  const order = named?.flatMap((field) => orderFields.filter(({ name }) => name === field));
  if (order?.length !== orderFields.length) return undefined;
  const names = order.map(({ name }) => name);
  return names.every((name, index) => name === orderFields[index]?.name) ? [] : names;
}

/** Whether the other name is taken, told by an order that is refused anyway. */
async function learnAlias({ order, sample }: Probe): Promise<boolean | undefined> {
  const alias = { whatsapp: undefined, messenger_number: sample.order.whatsapp };
  const named = namedFields(await order({ ...alias, quantity: 'two' }));
  return named && !named.some((field) => field === 'whatsapp' || field === 'messenger_number');
}

/** Learns what orders show that are refused: nothing is placed. */
export async function learnByRefusals(probe: Probe, lessons: Lessons): Promise<void> {
  lessons.learn('fieldOrder', await learnFieldOrder(probe));
  lessons.learn('messengerNumber', await learnAlias(probe));
  const json = { 'Content-Type': 'application/json' };
  lessons.learnIn('errorBodies', {
    malformed: shapeOn(await probe.send('POST', '/order', { body: '{', headers: json }), 422),
    notFound: shapeOn(await probe.order({ game: nothing.game }), 404),
    promo: shapeOn(await probe.order({ promo_code: nothing.promoCode }), 422),
  });
}

/** UTC is what anyone calls an offset of nothing, and Asia/Jakarta what an offset of seven hours is here (live). */
const zones: Record<string, string> = { '+00:00': 'UTC', Z: 'UTC', '+07:00': 'Asia/Jakarta' };

function zoneOf(answer: Answer): string | undefined {
  const [offset] = /([+-]\d\d:\d\d|Z)$/.exec(textAt(answer.body, 'data.expired_at') ?? '') ?? [];
  return offset === undefined ? undefined : (zones[offset] ?? offset);
}

function idempotencyOf(first: Answer, second: Answer): Dialect['idempotency'] | undefined {
  const id = textAt(first.body, 'orderId');
  if (id === undefined || second.status !== first.status) return undefined;
  if (textAt(second.body, 'orderId') !== id) return 'ignored';
  return second.headers.has(headers.idempotencyKey) ? 'honoured' : 'silent';
}

/** Learns what orders show that are placed: one, or two where idempotency keys are ignored. */
export async function learnByOrdering(probe: Probe, lessons: Lessons): Promise<void> {
  const key = { [headers.idempotencyKey]: crypto.randomUUID() };
  const first = await probe.order({}, key);
  if (first.status !== 201) return;
  lessons.learn('timezone', zoneOf(first));
  const idempotency = idempotencyOf(first, await probe.order({}, key));
  lessons.learn('idempotency', idempotency);
  if (idempotency === 'honoured' || idempotency === 'silent')
    lessons.learnIn('errorBodies', { idempotency: shapeOn(await probe.order({ quantity: 2 }, key), 409) });
  const invoice = await probe.get(`/invoice/${textAt(first.body, 'orderId')}`);
  if (lessons.dialect.emptyFields === undefined) lessons.learn('emptyFields', emptyFieldsOf([invoice.body]));
}
