import {
  type FieldRule,
  type Fields,
  faultFields,
  faultTitles,
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
  /** The same of a mock. */
  mock: string;
  /** The names of what it returns. */
  returns: readonly string[];
  run(sandbox: Sandbox, input: Fields): object;
}

const idField: FieldRule = {
  name: 'id',
  type: 'integer',
  source: 'ours',
  description: 'Id of the fault; all faults when left out.',
  min: 1,
};

const faultsOf = ({ faults }: Sandbox): object => ({ faults: faults.list() });

/** The controls that are described once. */
export const controls: Readonly<Record<string, Control>> = {
  faults: {
    method: 'GET',
    title: { id: 'Tampilkan gangguan', en: 'Show the faults' },
    effect: {
      id: 'menampilkan semua gangguan, yang terlama dahulu, dengan berapa kali masing-masing terjadi; juga yang sudah berakhir',
      en: 'lists all faults, the oldest first, with how often each struck; also those that have ended',
    },
    fields: [],
    titles: {},
    mock: 'faults.list',
    returns: ['faults'],
    run: faultsOf,
  },
  'add-fault': {
    method: 'POST',
    title: { id: 'Tambah gangguan', en: 'Add a fault' },
    effect: {
      id: 'menambah gangguan: apa yang terjadi, pada panggilan mana, berapa kali, berapa lama; gangguan saling menambah',
      en: 'adds a fault: what happens, to which calls, how often, how long; faults add up',
    },
    fields: faultFields,
    titles: faultTitles,
    example: { error: 'GAME_CLOSED', operation: 'createOrder', game: 'mobile-legends', times: 2 },
    mock: 'faults.add',
    returns: ['fault'],
    run: ({ faults }, input) => ({ fault: faults.add(input) }),
  },
  'remove-fault': {
    method: 'POST',
    title: { id: 'Hapus gangguan', en: 'Remove faults' },
    effect: {
      id: 'menghapus satu gangguan, atau semuanya tanpa id',
      en: 'removes one fault, or all of them without an id',
    },
    fields: [idField],
    titles: { id: { id: 'Id (kosong: semua)', en: 'Id (empty: all)' } },
    example: { id: 1 },
    mock: 'faults.remove',
    returns: ['faults'],
    run(sandbox, { id }) {
      if (id === undefined) sandbox.faults.clear();
      else if (!sandbox.faults.remove(Number(id))) throw invalidFields({ id: [{ rule: 'option' }] });
      return faultsOf(sandbox);
    },
  },
};

/** The valid input of a control. @throws DomainError VALIDATION_ERROR. */
export function readControlInput({ fields }: Pick<Control, 'fields'>, sent: Fields): Fields {
  const names = fields.map(({ name }) => name);
  const unknown = Object.keys(sent).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw invalidFields({
      [unknown]: [{ rule: 'unknownParameter', params: { name: unknown, known: names.join(', ') } }],
    });
  const checked = validateFields(fields, normaliseFields(fields, sent));
  if ('errors' in checked) throw invalidFields(checked.errors);
  return checked.values;
}
