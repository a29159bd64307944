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
 * Something that a test does to a sandbox or a mock. Its route (`/sandbox/NAME`), its command (`topup sandbox NAME`), its form in the
 * console, its MCP tool and its row in the guide are made from this.
 */
export interface Control {
  /** `GET` shows something, `POST` changes something. */
  method: 'GET' | 'POST';
  title: Localised;
  /** What it does. */
  effect: Localised;
  fields: readonly FieldRule[];
  /** What a form calls each field. */
  titles: Readonly<Record<string, Localised>>;
  /** A valid body. */
  example?: Readonly<Record<string, string | number>>;
  /** The field that takes a whole file: as text, as JSON, or as the body itself. */
  document?: string;
  /** What a body has that is the file itself; `format` when left out. */
  fileKey?: string;
  /** What it returns as a file, for a command to print. */
  printed?: string;
  /** The same of a mock. */
  mock: string;
  /** The names of what it returns. */
  returns: readonly string[];
  /** `accountId` is the account of the key that asks; the sandbox's own when left out. */
  run(sandbox: Sandbox, input: Fields, accountId?: string): object | Promise<object>;
}

/** The valid input of a control. @throws DomainError VALIDATION_ERROR. */
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
  // A file is read by its own rules.
  const { [document]: file, ...others } = sent;
  const hasFile = (file ?? '') !== '';
  const checkedFields = hasFile ? fields.filter(({ name }) => name !== document) : fields;
  const checked = validateFields(checkedFields, normaliseFields(checkedFields, others));
  if ('errors' in checked) throw invalidFields(checked.errors);
  return hasFile ? { ...checked.values, [document]: file } : checked.values;
}
