import { type FieldFailure, inFieldOrder, messagesByField, summarise } from '@topup-kit/core/contract';
import {
  expectAt,
  expectError,
  expectStatus,
  expectThat,
  fieldsAt,
  inEachLanguage,
  invalidField,
  languageOf,
  pathsIn,
  requireCheckedPhones,
} from '../../assertions.ts';
import type { SpecReference } from '../../failure.ts';
import { placeOrder, readInvoice } from '../../orders.ts';
import { type ProbedResponse, type Topic, writes } from '../../probe.ts';

const wording: SpecReference = 'open-points Errors/Validation-wording-laravel-fields-in-the';
const summary: SpecReference = 'open-points Errors/The-summary-is-the-first-message';
const types: SpecReference = 'open-points Errors/integer-accepts-12-string-rejects-numbers';
const trimmed: SpecReference = 'open-points Errors/The-service-trims-strings';
const empty: SpecReference = 'open-points Errors/null-and-a-missing-field-are';
const phone: SpecReference = 'open-points Errors/The-phone-field-is-whatsapp-on';
const phoneNumber: SpecReference = 'open-points Errors/whatsapp-must-be-a-phone-number';
const returnUrl: SpecReference = 'open-points Identifiers-addresses-and-times/return_url-of-an-order-ours-is';
const quantities: SpecReference = 'open-points Limits/quantity-1-to-100';
const lengths: SpecReference = 'open-points Limits/strings-255-characters-body-64-KiB';
const invalid: SpecReference = 'open-points Errors/payload-invalid';

const required: FieldFailure = { rule: 'required' };
const requiredFields = ['id', 'game', 'product_id', 'payment_method_id', 'whatsapp'];
const texts = ['id', 'server', 'game', 'email', 'whatsapp', 'nickname', 'promo_code'];
/** Texts of 256 characters that break no other rule of their field. */
const tooLong: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    email: `${'x'.repeat(244)}@example.com`,
    whatsapp: `0812${' '.repeat(244)}34567890`,
  }),
);
const integers = ['product_id', 'payment_method_id', 'quantity'];

/** Expects one message for each of the fields, in the service's order, and a summary. */
function expectMissing(response: ProbedResponse, missing: readonly string[]): void {
  const fields = inFieldOrder(missing, response.dialect);
  const errors = Object.fromEntries(fields.map((field) => [field, [required]]));
  expectStatus(response, 422, invalid);
  const texts = inEachLanguage((locale) => summarise(messagesByField(errors, locale), locale));
  const locale = languageOf(response, texts);
  expectAt(response, 'message', texts[locale], summary);
  expectAt(response, 'errors', messagesByField(errors, locale), wording);
  const order = fieldsAt(response, 'errors', wording).join();
  expectThat(order === fields.join(), response, 'errors', fields.join(), wording);
}

export const validationCases: Topic = {
  'an empty order misses each required field, in the order of the document': writes(
    [invalid, wording, summary],
    async ({ post }) => expectMissing(await post({}), requiredFields),
  ),
  'the summary counts none, one or more further errors': writes([summary], async ({ order }) => {
    for (let count = 1; count < requiredFields.length; count += 1) {
      const missing = requiredFields.slice(0, count);
      expectMissing(await order(Object.fromEntries(missing.map((field) => [field, null]))), missing);
    }
  }),
  'the summary counts messages, not fields': writes([summary], async ({ order }) => {
    const response = await order({ email: 'x'.repeat(256), quantity: 0 });
    const messages = pathsIn(response, 'errors.email', summary);
    const expected = 'two messages for an e-mail that is neither valid nor short enough';
    expectThat(messages.length === 2, response, 'errors.email', expected, summary);
    const [first] = inFieldOrder(['email', 'quantity'], response.dialect);
    const failures: ReadonlyMap<string, FieldFailure> = new Map(
      Object.entries<FieldFailure>({
        email: { rule: 'email' },
        quantity: { rule: 'minimum', params: { limit: 1 } },
      }),
    );
    const texts = inEachLanguage((locale) => {
      const others = { [first ?? '']: [failures.get(first ?? '') ?? required, required, required] };
      return summarise(messagesByField(others, locale), locale);
    });
    expectAt(response, 'message', texts[languageOf(response, texts)], summary);
  }),
  'text fields accept only text': writes([types, wording], async ({ order }) => {
    for (const field of texts)
      for (const value of [12, true, ['x'], { x: 'x' }]) {
        expectError(await order({ [field]: value }), invalidField(field, { rule: 'string' }), types);
      }
  }),
  'integer fields accept only whole numbers': writes([wording], async ({ order }) => {
    for (const field of integers)
      for (const value of ['abc', '1.5', 1.5, ['1'], { one: 1 }]) {
        expectError(await order({ [field]: value }), invalidField(field, { rule: 'integer' }), wording);
      }
  }),
  'integer fields take whole numbers written as text': writes([types], async (probe) => {
    const { product_id, payment_method_id } = probe.fixture.order;
    const texts = { product_id: String(product_id), payment_method_id: ` ${payment_method_id} ` };
    const { response } = await placeOrder(probe, { ...texts, quantity: '2' }, { by: types });
    expectAt(response, 'data.quantity', 2, types);
  }),
  'text is trimmed': writes([trimmed], async (probe) => {
    const { id, game } = probe.fixture.order;
    const { order } = await placeOrder(probe, { id: `  ${id}\t`, game: ` ${game} ` }, { by: trimmed });
    const { response } = await readInvoice(probe, order.order_id);
    expectAt(response, 'order.id_games', id, trimmed);
  }),
  'empty text, blanks, null and a missing field are the same': writes([empty], async (probe) => {
    for (const nothing of ['', '   ', null, undefined]) {
      for (const field of requiredFields) expectMissing(await probe.order({ [field]: nothing }), [field]);
      const optional = { email: nothing, nickname: nothing, promo_code: nothing, quantity: nothing };
      const { response } = await placeOrder(probe, optional, { by: empty });
      expectAt(response, 'data.quantity', 1, empty);
    }
  }),
  'quantity is 1 to 100': writes([quantities, wording], async (probe) => {
    const least = invalidField('quantity', { rule: 'minimum', params: { limit: 1 } });
    const most = invalidField('quantity', { rule: 'maximum', params: { limit: 100 } });
    for (const quantity of [0, -1]) expectError(await probe.order({ quantity }), least, wording);
    for (const quantity of [101, 1e9]) expectError(await probe.order({ quantity }), most, wording);
    if (!probe.fixture.sandboxCatalogue) return;
    const { response } = await placeOrder(probe, { quantity: 100 }, { by: quantities });
    expectAt(response, 'data.quantity', 100, quantities);
  }),
  'an e-mail address has to be one': writes([wording], async ({ order }) => {
    const expected = invalidField('email', { rule: 'email' });
    for (const email of ['customer', 'customer@', '@example.com', 'a b@example.com'])
      expectError(await order({ email }), expected, wording);
  }),
  'a phone number has to be one': writes([phoneNumber], async (probe) => {
    requireCheckedPhones(probe);
    const expected = invalidField('whatsapp', { rule: 'phone' });
    for (const whatsapp of ['hello', '123', '08', '+62', '0812-hello-7890', '1234567890123456'])
      expectError(await probe.order({ whatsapp }), expected, phoneNumber);
    for (const whatsapp of ['0812-3456-7890', '6281234567890', '+62 812 3456 7890', '+65 8123 4567'])
      await placeOrder(probe, { whatsapp }, { by: phoneNumber });
  }),
  'a return URL is http or https': writes([returnUrl], async ({ order }) => {
    const expected = invalidField('return_url', { rule: 'url' });
    for (const return_url of ['shop.example', 'javascript:alert(1)', 'https://a@shop.example/'])
      expectError(await order({ return_url }), expected, returnUrl);
  }),
  'text has at most 255 characters': writes([lengths, wording], async (probe) => {
    for (const field of texts) {
      const long = tooLong.get(field) ?? 'x'.repeat(256);
      const tooMany = invalidField(field, { rule: 'maximumLength', params: { limit: 255 } });
      expectError(await probe.order({ [field]: long }), tooMany, wording);
    }
    // The limit counts characters. An emoji is one character, although it has two code units.
    await placeOrder(probe, { id: 'x'.repeat(255), nickname: '🎮'.repeat(255) }, { by: lengths });
  }),
  'unknown fields are ignored': writes([types], async (probe) => {
    const unknown = { total_price: 1, unit_discount: 22_000, status: 'PAID', x: { y: [] } };
    const { order } = await placeOrder(probe, unknown, { by: types });
    const usual = await placeOrder(probe);
    expectAt(usual.response, 'data.total_price', order.total_price, types);
  }),
  'messenger_number replaces a missing whatsapp; errors are named whatsapp': writes(
    [phone, 'interface 4.2/messenger_number'],
    async (probe) => {
      const numberShown = async (fields: object): Promise<ProbedResponse> => {
        const { order } = await placeOrder(probe, { whatsapp: undefined, ...fields }, { by: phone });
        return (await readInvoice(probe, order.order_id)).response;
      };
      const alias = { messenger_number: '081111111111' };
      expectAt(await numberShown(alias), 'order.whatsapp', '081111111111', phone);
      const both = await numberShown({ ...alias, whatsapp: '082222222222' });
      expectAt(both, 'order.whatsapp', '082222222222', phone);
      const wrong = await probe.order({ whatsapp: undefined, messenger_number: 81 });
      expectError(wrong, invalidField('whatsapp', { rule: 'string' }), phone);
    },
  ),
};
