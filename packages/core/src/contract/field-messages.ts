import type { Locale, Localised } from './locale.ts';

/**
 * Messages about a field (interface 7.1), by the broken rule. `{field}` is the field's name with spaces for underscores. English: the
 * wording of laravel. Indonesian: ours.
 */
export const fieldMessages = {
  required: { id: 'Kolom {field} wajib diisi.', en: 'The {field} field is required.' },
  string: { id: 'Kolom {field} harus berupa teks.', en: 'The {field} field must be a string.' },
  integer: { id: 'Kolom {field} harus berupa bilangan bulat.', en: 'The {field} field must be an integer.' },
  character: {
    id: 'Kolom {field} tidak boleh berisi karakter {character} (karakter ke-{position}).',
    en: 'The {field} field must not contain {character} (character {position}).',
  },
  email: {
    id: 'Kolom {field} harus berupa alamat email yang valid.',
    en: 'The {field} field must be a valid email address.',
  },
  phone: {
    id: 'Kolom {field} harus berupa nomor telepon yang valid.',
    en: 'The {field} field must be a valid phone number.',
  },
  url: {
    id: 'Kolom {field} harus berupa URL yang valid.',
    en: 'The {field} field must be a valid URL.',
  },
  returnOrigin: {
    id: 'Kolom {field} harus mengarah ke situs yang diizinkan layanan ini.',
    en: 'The {field} field must be a URL of a site that this service allows.',
  },
  minimum: { id: 'Kolom {field} minimal {limit}.', en: 'The {field} field must be at least {limit}.' },
  maximum: {
    id: 'Kolom {field} maksimal {limit}.',
    en: 'The {field} field must not be greater than {limit}.',
  },
  maximumLength: {
    id: 'Kolom {field} maksimal {limit} karakter.',
    en: 'The {field} field must not be greater than {limit} characters.',
  },
  option: { id: 'Pilihan {field} tidak valid.', en: 'The selected {field} is invalid.' },
  oncePerDay: {
    id: 'Produk ini hanya dapat dibeli sekali sehari untuk {field} yang sama.',
    en: 'This product can be bought only once a day for the same {field}.',
  },
  account: {
    id: 'Akun dengan {field} ini tidak ditemukan di game yang dipilih.',
    en: 'There is no account with this {field} in the selected game.',
  },
  oneOf: {
    id: 'Kolom {field} harus salah satu dari {values}.',
    en: 'The {field} field must be one of {values}.',
  },
  duration: {
    id: 'Kolom {field} harus berupa durasi seperti 30s, 31m, 24h atau 1h30m.',
    en: 'The {field} field must be a duration such as 30s, 31m, 24h or 1h30m.',
  },
  worldClock: {
    id: 'Jam sandbox paling jauh {limit} di depan waktu nyata; reset sandbox untuk mulai lagi.',
    en: 'The clock of a sandbox can be at most {limit} ahead of real time. Reset the sandbox to start again.',
  },
  faultEffect: {
    id: 'Gangguan memerlukan satu dari error, connection, payment, scenario, word dan reason, atau delay; delay juga boleh dengan error atau connection.',
    en: 'A fault needs one of error, connection, payment, scenario, word and reason, or a delay. Error and connection can also have a delay.',
  },
  faultFilter: {
    id: 'Gangguan di gateway atau pemasok tidak bisa dibatasi dengan {field}.',
    en: 'A fault of the gateway or the supplier cannot be limited by {field}.',
  },
  failedOnly: {
    id: 'Kolom {field} hanya untuk order.failed dan order.refunded.',
    en: 'The {field} field is only for order.failed and order.refunded.',
  },
  newOrder: {
    id: '{what} hanya untuk pesanan baru: jangan kirim {field}.',
    en: '{what} is only for a new order: leave out {field}.',
  },
  steps: {
    id: 'Berkas langkah harus berupa objek JSON dengan daftar steps.',
    en: 'A file of steps must be a JSON object with a list named steps.',
  },
  step: {
    id: 'Langkah {number} harus berupa objek dengan kolom "do" berupa teks. Kolom "as" hanya boleh berisi huruf, angka, _ dan -.',
    en: 'Step {number} must be an object with a string "do". "as" may contain only letters, digits, _ and -.',
  },
  unknownStep: {
    id: 'Langkah tidak dikenal. Langkah yang ada: {known}.',
    en: 'Unknown step. The steps are {known}.',
  },
  stepExpected: {
    id: 'Langkah {number} ({step}): {what} seharusnya {expected}, ternyata {actual}.',
    en: 'Step {number} ({step}): {what} should be {expected}, but is {actual}.',
  },
  stepFailed: {
    id: 'Langkah {number} ({step}): {problem}',
    en: 'Step {number} ({step}): {problem}',
  },
  stepName: {
    id: 'Tidak ada langkah sebelumnya dengan "as": "{name}".',
    en: 'No earlier step has "as": "{name}".',
  },
  unnamedStep: {
    id: 'Langkah ini tidak menghasilkan apa pun yang bisa diberi nama dengan {field}.',
    en: 'This step returns nothing that {field} could name.',
  },
  memoryStore: {
    id: 'Hanya sandbox dengan --store memory: yang punya snapshot.',
    en: 'Only a sandbox with --store memory: has snapshots.',
  },
  documentFormat: {
    id: 'Isi {field} bukan berkas yang diharapkan: format-nya harus {expected}, bukan {format}.',
    en: 'The {field} is not the expected file: its format must be {expected}, not {format}.',
  },
  documentNewer: {
    id: 'Isi {field} berasal dari versi Topup Kit yang lebih baru ({format}); versi ini membaca {expected}. Perbarui Topup Kit.',
    en: 'The {field} comes from a newer version of Topup Kit ({format}); this version reads {expected}. Update Topup Kit.',
  },
  snapshotChanged: {
    id: 'Isi {field} diubah setelah disimpan, atau tidak lengkap: checksum-nya tidak cocok. Simpan lagi, atau tulis berkas untuk seed.',
    en: 'The {field} was changed after it was saved, or is incomplete: its checksum does not match. Save it again, or write a file for seed.',
  },
  snapshotLength: {
    id: 'Snapshot {id} lebih panjang dari {limit} byte, jadi tidak bisa disimpan sebagai berkas. Sandbox tetap menyimpannya: pulihkan dengan id-nya.',
    en: 'Snapshot {id} is longer than {limit} bytes, so it cannot be saved as a file. The sandbox keeps it: restore it by its id.',
  },
  moment: {
    id: 'Kolom {field} harus berupa waktu seperti 2026-03-29T10:00:00+07:00.',
    en: 'The {field} field must be a time such as 2026-03-29T10:00:00+07:00.',
  },
  objectList: {
    id: 'Kolom {field} harus berupa daftar objek JSON.',
    en: 'The {field} field must be a list of JSON objects.',
  },
  seedEntry: {
    id: 'Bagian {field} dari seed ditolak: {code}.',
    en: 'The part {field} of the seed was rejected: {code}.',
  },
  catalog: {
    id: 'Katalog tidak valid: {problems}',
    en: 'The catalogue is not valid: {problems}',
  },
  unknownParameter: {
    id: 'Tidak ada parameter {name}. Parameter yang ada: {known}.',
    en: 'There is no parameter {name}. The parameters are {known}.',
  },
  misspeltParameter: {
    id: 'Tidak ada parameter {name}. Maksud Anda {meant}?',
    en: 'There is no parameter {name}. Did you mean {meant}?',
  },
  emptyParameter: {
    id: 'Parameter {name} tidak boleh kosong: isi, atau jangan dikirim.',
    en: 'The parameter {name} must not be empty: give it a value, or leave it out.',
  },
  repeatedParameter: {
    id: 'Parameter {name} hanya boleh dikirim sekali.',
    en: 'The parameter {name} must be sent only once.',
  },
  header: { id: 'Header {field} tidak boleh kosong.', en: 'The {field} header must not be empty.' },
  headerLength: {
    id: 'Header {field} maksimal {limit} karakter.',
    en: 'The {field} header must not be greater than {limit} characters.',
  },
  headerOneOf: {
    id: 'Header {field} harus salah satu dari {values}.',
    en: 'The {field} header must be one of {values}.',
  },
  worldName: {
    id: 'Header {field} harus 1 sampai 100 huruf, angka, titik, tilde, garis bawah atau tanda hubung.',
    en: 'The {field} header must be 1 to 100 letters, digits, dots, tildes, underscores or hyphens.',
  },
  worldStore: {
    id: 'Hanya sandbox dengan --store memory: yang punya beberapa dunia; hapus header {field}.',
    en: 'Only a sandbox with --store memory: has several worlds; leave out the header {field}.',
  },
  json: { id: 'Body permintaan harus berupa JSON yang valid.', en: 'The request body must be valid JSON.' },
  jsonObject: {
    id: 'Body permintaan harus berupa objek JSON.',
    en: 'The request body must be a JSON object.',
  },
} as const satisfies Record<string, Localised>;

type Rule = keyof typeof fieldMessages;

type PlaceholderIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Exclude<Name, 'field'> | PlaceholderIn<Rest>
  : never;

/** A placeholder's value: the same in each language, or a sentence for each language. */
type Param = string | number | Localised;

type ParamsOf<Name extends Rule> = Readonly<
  Record<PlaceholderIn<(typeof fieldMessages)[Name]['id' | 'en']>, Param>
>;

/** A rule that a field breaks, with values for the placeholders of its message. */
export type FieldFailure = {
  [Name in Rule]: keyof ParamsOf<Name> extends never
    ? { rule: Name }
    : { rule: Name; params: ParamsOf<Name> };
}[Rule];

/** Failures by field, in the order of the fields. */
export type FieldErrors = Record<string, FieldFailure[]>;

/**
 * Formats the message about a field.
 *
 * @example
 * fieldMessage('product_id', { rule: 'required' }, 'en'); // 'The product id field is required.'
 */
export function fieldMessage(name: string, failure: FieldFailure, locale: Locale): string {
  const params: ReadonlyMap<string, Param> = new Map(
    Object.entries({ ...('params' in failure && failure.params), field: name.replaceAll('_', ' ') }),
  );
  return fieldMessages[failure.rule][locale].replace(/\{(\w+)\}/g, (braces, name: string) => {
    const param = params.get(name) ?? braces;
    return typeof param === 'object' ? param[locale] : String(param);
  });
}

/** The messages by field, as sent. */
export const messagesByField = (errors: FieldErrors, locale: Locale): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(errors).map(([name, failures]) => [
      name,
      failures.map((failure) => fieldMessage(name, failure, locale)),
    ]),
  );

const further = {
  id: (count: number) => `(dan ${count} kesalahan lainnya)`,
  en: (count: number) => `(and ${count} more error${count === 1 ? '' : 's'})`,
} as const satisfies Record<Locale, unknown>;

/** Summarises messages: the first message, and the number of further messages (interface 7.1; English wording: laravel). */
export function summarise(messages: Record<string, readonly string[]>, locale: Locale): string {
  const [first = '', ...others] = Object.values(messages).flat();
  return others.length === 0 ? first : `${first} ${further[locale](others.length)}`;
}
