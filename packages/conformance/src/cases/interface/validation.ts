import type { ValidationBody } from '@topup-kit/core/contract';
import { errorSchemas } from '@topup-kit/core/schemas';
import { expectStatus, expectText, expectThat, readAt } from '../../assertions.ts';
import type { SpecReference } from '../../failure.ts';
import { type Probe, type ProbedResponse, type Topic, writes } from '../../probe.ts';

const invalid: SpecReference = 'interface 7.2/POST-order-422-base-payload-fails-validation-for-example';
const onePerField: SpecReference = 'interface 7.2/The-validation-422-body-has-the';
const shape: SpecReference = 'interface 7.1/Field-validation-failure';

const row = (field: string): SpecReference =>
  `interface 4.2/${field === 'whatsapp' ? 'messenger_number' : field}`;

/** Required fields in the document's order, with the names that messages use (4.2, messenger_number). */
const required = ['id', 'game', 'product_id', 'payment_method_id', 'whatsapp'];

/** A value of a wrong type for each field. */
const wrongTypes: [field: string, value: unknown][] = [
  ['id', { text: '1' }],
  ['server', ['2012']],
  ['game', { slug: 'x' }],
  ['product_id', 'abc'],
  ['payment_method_id', 1.5],
  ['email', ['customer@example.com']],
  ['whatsapp', { number: '08' }],
  ['nickname', ['Player']],
  ['promo_code', ['CODE']],
  ['quantity', 'two'],
];

/** Fails unless the response is a 422 with exactly one entry for each of these fields. */
function expectInvalid(
  probe: Probe,
  response: ProbedResponse,
  fields: string[],
  by: SpecReference,
): ValidationBody {
  expectStatus(response, 422, by);
  const body = readAt(probe, response, { schema: errorSchemas.validation, rows: () => shape });
  const named = Object.keys(body.errors);
  const holds = named.length === fields.length && fields.every((field) => named.includes(field));
  expectThat(holds, response, 'errors', `entries for ${fields.join(', ')}`, onePerField);
  return body;
}

/** Creates a pattern for a field's name in a message, in which `product_id` may be written with spaces. */
const naming = (field: string): RegExp => new RegExp(`\\b${field.replaceAll('_', '[ _]')}\\b`);

/** Creates a pattern for the first field in `errors`, because the interface doesn't say which field is checked first. */
const namingOne = (errors: object): RegExp => naming(Object.keys(errors)[0] ?? '');

export const validationCases: Topic = {
  'an empty order is a 422 with one entry for each required field': writes(
    [invalid, onePerField, shape, ...required.map(row), 'interface 4.2/Error-statuses-404-422-500-see'],
    async (probe) => void expectInvalid(probe, await probe.post({}), required, invalid),
  ),
  'the summary names the first failed field and counts the further errors': writes([shape], async (probe) => {
    const response = await probe.post({});
    const { errors } = expectInvalid(probe, response, required, invalid);
    const further = Object.values(errors).flat().length - 1;
    expectText(response, 'message', namingOne(errors), shape);
    expectText(response, 'message', new RegExp(`\\b${further}\\b`), shape);
  }),
  'each required field is missed by its name, alone': writes(
    [invalid, onePerField, ...required.map(row)],
    async (probe) => {
      for (const field of required) {
        const response = await probe.order({ [field]: undefined });
        expectInvalid(probe, response, [field], row(field));
        expectText(response, 'message', naming(field), shape);
      }
    },
  ),
  'a value of a wrong type is rejected with the name of its field': writes(
    [invalid, onePerField, ...wrongTypes.map(([field]) => row(field))],
    async (probe) => {
      for (const [field, value] of wrongTypes)
        expectInvalid(probe, await probe.order({ [field]: value }), [field], row(field));
    },
  ),
  'a validation failure differs from a business one: it has errors': writes(
    [shape, 'interface 7.2/The-validation-422-body-has-the'],
    async (probe) => {
      const response = await probe.order({ id: undefined, whatsapp: undefined });
      const { errors } = expectInvalid(probe, response, ['id', 'whatsapp'], shape);
      expectText(response, 'message', namingOne(errors), shape);
      expectText(response, 'message', /\b1\b/, shape);
    },
  ),
};
