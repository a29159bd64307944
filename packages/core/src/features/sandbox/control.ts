import {
  type FieldRule,
  type Fields,
  type Localised,
  normaliseFields,
  validateFields,
} from '../../contract/index.ts';
import { invalidFields } from '../../engine/errors.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * A control with which a test reads or changes a sandbox or a mock. Its route (`/sandbox/NAME`), its command (`topup sandbox NAME`), its
 * form in the console, its MCP tool and its row in the guide are created from this description.
 */
export interface Control {
  /** `GET` shows something, `POST` changes something. */
  method: 'GET' | 'POST';
  title: Localised;
  /** Description of its effect. */
  effect: Localised;
  fields: readonly FieldRule[];
  /** Label of each field in a form. */
  titles: Readonly<Record<string, Localised>>;
  /** A valid body. */
  example?: Readonly<Record<string, string | number>>;
  /** The field that takes a whole file: as text, as JSON, or as the body itself. */
  document?: string;
  /** Key by which a body is recognised as the file itself; `format` if left out. */
  fileKey?: string;
  /** Key of the file in its result, which the command prints. */
  printed?: string;
  /** The corresponding call of a mock. */
  mock: string;
  /** The keys of its result. */
  returns: readonly string[];
  /** `accountId` is the account of the request's key; the sandbox's own account if left out. */
  run(sandbox: Sandbox, input: Fields, accountId?: string): object | Promise<object>;
}

/** Reads the valid input of a control. @throws DomainError VALIDATION_ERROR. */
export function readControlInput(
  { fields, document = '', fileKey = 'format' }: Pick<Control, 'fields' | 'document' | 'fileKey'>,
  body: Fields,
): Fields {
  const sent = document !== '' && Object.hasOwn(body, fileKey) ? { [document]: body } : body;
  const names = fields.map(({ name }) => name);
  const aliases = fields.flatMap(({ alias }) => alias ?? []);
  const unknown = Object.keys(sent).find((name) => !names.includes(name) && !aliases.includes(name));
  if (unknown !== undefined)
    throw invalidFields({
      [unknown]: [{ rule: 'unknownParameter', params: { name: unknown, known: names.join(', ') } }],
    });
  // The rules of fields don't apply to a file.
  const { [document]: file, ...others } = sent;
  const hasFile = (file ?? '') !== '';
  const checkedFields = hasFile ? fields.filter(({ name }) => name !== document) : fields;
  const checked = validateFields(checkedFields, normaliseFields(checkedFields, others));
  if ('errors' in checked) throw invalidFields(checked.errors);
  return hasFile ? { ...checked.values, [document]: file } : checked.values;
}
