import { type Localised, readAmount } from '@topup-kit/core/contract';
import {
  localMoment,
  overusedWords,
  previewPromo,
  promoState,
  promoStateWords,
  readPromo,
} from '@topup-kit/core/engine';
import type { Catalog, Promo } from '@topup-kit/core/store';
import { html } from '../../../pages/html.ts';
import { type ActionInput, type ConsoleAction, type Field, InputError } from '../actions.ts';
import { isDay, shiftDay } from '../days.ts';
import { named } from '../named.ts';
import { detailList } from '../parts.ts';
import type { SectionDependencies } from '../section.ts';
import type { View } from '../view.ts';
import { conditionText, lossesNotice, offText, savePromo } from './promo.ts';

const texts = {
  off: { id: 'Potongan', en: 'Off' },
  conditions: { id: 'Syarat', en: 'Conditions' },
  span: { id: 'Berlaku', en: 'Valid' },
};

const labels = {
  code: { id: 'Kode yang diketik pelanggan', en: 'Code that customers type' },
  off: { id: 'Potongan setiap barang', en: 'Discount of each item' },
  offHint: { id: '10% dari harga, atau rupiah: 2000', en: '10% of the price, or rupiah: 2000' },
  most: { id: 'Potongan tertinggi (rupiah)', en: 'Highest discount (rupiah)' },
  quota: { id: 'Kuota pesanan', en: 'Orders that may use it' },
  perCustomer: { id: 'Pesanan per pelanggan', en: 'Orders per customer' },
  minimum: { id: 'Belanja minimum (rupiah)', en: 'Minimum price of an order (rupiah)' },
  starts: { id: 'Mulai', en: 'Begins' },
  ends: { id: 'Berakhir', en: 'Ends' },
  only: { id: 'Hanya untuk', en: 'Only for' },
  onlyHint: {
    id: 'Game, kode produk, atau metode pembayaran, dipisah koma; kosong untuk semuanya.',
    en: 'Games, codes of products or payment methods, separated by commas; empty for all.',
  },
};

const at = (moment: string | null, view: View): string =>
  moment === null ? '' : view.exactTime(Date.parse(moment)).slice(0, 16);

const amountText = (amount: number | null): string => (amount === null ? '' : String(amount));

/** Returns the restrictions of a promo, each with its kind, because a product and a method may have the same code. */
const onlyText = ({ games, products, payment_methods }: Promo, catalog: Catalog): string => {
  const codes = new Map(catalog.games.flatMap((game) => game.products).map(({ id, code }) => [id, code]));
  const methods = new Map(catalog.payment_methods.map(({ id, code }) => [id, code]));
  return [
    ...games.map((slug) => `game ${slug}`),
    ...products.map((id) => `product ${codes.get(id)}`),
    ...payment_methods.map((id) => `method ${methods.get(id)}`),
  ].join(', ');
};

function promoFields(view: View, catalog: Catalog, promo?: Promo): Field[] {
  const { discount } = promo ?? {};
  const off =
    discount?.type === 'PERCENT' ? `${discount.basis_points / 100}%` : amountText(discount?.value ?? null);
  const field = (name: keyof typeof labels, value: string, more: Partial<Field> = {}): Field => ({
    name,
    value,
    label: labels[name],
    ...more,
  });
  return [
    ...(promo ? [] : [field('code', '', { required: true })]),
    field('off', off, { required: true, hint: labels.offHint }),
    field('most', amountText(discount?.max_discount ?? null)),
    field('quota', amountText(promo?.quota ?? null)),
    field('perCustomer', amountText(promo?.per_customer ?? null)),
    field('minimum', amountText(promo?.minimum_purchase || null)),
    field('starts', at(promo?.starts_at ?? null, view), { isTime: true }),
    field('ends', at(promo?.ends_at ?? null, view), { isTime: true }),
    field('only', promo ? onlyText(promo, catalog) : '', { hint: labels.onlyHint }),
  ];
}

function readCount(text = ''): number | null {
  if (text === '') return null;
  const count = readAmount(text);
  if (count !== null) return count;
  throw new InputError({
    id: `Tulis bilangan bulat mulai 0, bukan "${text}".`,
    en: `Write a whole number from 0, not "${text}".`,
  });
}

function readDiscount(off = ''): object {
  const [, whole = '', fraction = '', sign] = /^(\d{1,15})(?:[.,](\d{1,2}))?\s*(%?)$/.exec(off) ?? [];
  if (sign === '%') {
    const basis_points = Number(whole + fraction.padEnd(2, '0'));
    if (basis_points > 0 && basis_points <= 10_000) return { type: 'PERCENT', basis_points };
  } else if (fraction === '' && Number(whole) > 0) return { type: 'FIXED', value: Number(whole) };
  throw new InputError({
    id: `Potongan harus persen sampai 100%, seperti 10%, atau rupiah bulat tanpa pemisah, seperti 2000, bukan "${off}".`,
    en: `A discount must be up to 100%, such as 10%, or whole rupiah without separators, such as 2000, not "${off}".`,
  });
}

/** Reads a day (its start or its end), or a time in the shop's time zone. */
function readMoment(text = '', edge: 'begin' | 'end', timezone: string): number | null {
  if (text === '') return null;
  if (isDay(text)) return localMoment(timezone, `${edge === 'end' ? shiftDay(text, 1) : text}T00:00`);
  if (/^\d{4}-\d\d-\d\d[T ]([01]\d|2[0-3]):[0-5]\d$/.test(text) && isDay(text.slice(0, 10)))
    return localMoment(timezone, text.replace(' ', 'T'));
  throw new InputError({
    id: `Tulis tanggal seperti 2026-12-31, atau 2026-12-31T18:00, bukan "${text}".`,
    en: `Write a day such as 2026-12-31, or 2026-12-31T18:00, not "${text}".`,
  });
}

/** Creates a form that creates or changes a promo after a preview. */
export function promoForm(
  deps: SectionDependencies,
  find: (code: string | undefined) => Promise<Promo>,
): Record<'create' | 'edit', ConsoleAction> {
  const { store, settings, realClock } = deps;

  async function readCatalog(): Promise<Catalog> {
    const catalog = await store.readCatalog();
    if (catalog) return catalog;
    throw new InputError({ id: 'Katalog masih kosong.', en: 'The catalogue is still empty.' });
  }

  async function read({ params, fields }: ActionInput, view: View): Promise<Promo> {
    const catalog = await readCatalog();
    const before = params.code === undefined ? undefined : await find(params.code);
    // The field shows no seconds, so an unchanged field keeps its exact time.
    const moment = (text: string | undefined, old: string | null = null, edge: 'begin' | 'end') => {
      if (old !== null && text === at(old, view)) return old;
      const read = readMoment(text, edge, settings.timezone);
      return read === null ? null : view.exactTime(read);
    };
    const problems: Localised[] = [];
    const tried = <Value>(readField: () => Value): Value | null => {
      try {
        return readField();
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        problems.push(error.words);
        return null;
      }
    };
    const discount = tried(() => readDiscount(fields.off));
    const [max_discount, quota, per_customer, minimum] = [
      fields.most,
      fields.quota,
      fields.perCustomer,
      fields.minimum,
    ].map((text) => tried(() => readCount(text)));
    const starts_at = tried(() => moment(fields.starts, before?.starts_at, 'begin'));
    const ends_at = tried(() => moment(fields.ends, before?.ends_at, 'end'));
    if (starts_at !== null && ends_at !== null && Date.parse(ends_at) <= Date.parse(starts_at))
      problems.push({ id: 'Promo berakhir sebelum mulai.', en: 'The promo ends before it begins.' });
    const only = (fields.only ?? '').split(',').filter((name) => name.trim() !== '');
    const limits = only.flatMap((name) => tried(() => named(catalog, name)) ?? []);
    if (limits.some(({ kind }) => kind === 'category'))
      problems.push({
        id: 'Promo dibatasi pada game, produk, atau metode, bukan kategori.',
        en: 'A promo is limited to games, products or methods, not to categories.',
      });
    if (problems.length > 0)
      throw new InputError({
        id: problems.map(({ id }) => id).join('\n'),
        en: problems.map(({ en }) => en).join('\n'),
      });
    const ofKind = (wanted: (typeof limits)[number]['kind']) => limits.filter(({ kind }) => kind === wanted);
    const result = readPromo(catalog, {
      code: before?.code ?? fields.code ?? '',
      discount: { ...discount, max_discount },
      status: before?.status ?? true,
      starts_at,
      ends_at,
      quota,
      per_customer,
      minimum_purchase: minimum ?? 0,
      games: ofKind('game').map(({ key }) => key),
      products: ofKind('product').map(({ id }) => id),
      payment_methods: ofKind('method').map(({ id }) => id),
    });
    if ('problems' in result) {
      const [{ path, rule } = { path: '', rule: '' }] = result.problems;
      throw new InputError({
        id: `Promo ini melanggar aturan katalog: ${path} ${rule}.`,
        en: `This promo breaks a rule of catalogues: ${path} ${rule}.`,
      });
    }
    const { promo, old } = result;
    if (old && !before)
      throw new InputError({
        id: `Promo ${old.code} sudah ada. Ubah promo itu, atau pakai kode lain.`,
        en: `Promo ${old.code} already exists. Edit it, or use another code.`,
      });
    return promo;
  }

  const action = (path: string, title: ConsoleAction['title']): ConsoleAction => ({
    path: `/catalog/promos/${path}`,
    section: 'catalog',
    title,
    isWithoutNote: true,
    async fields({ params }, view) {
      const promo = params.code === undefined ? undefined : await find(params.code);
      return promoFields(view, await readCatalog(), promo);
    },
    async preview(input, view) {
      const words = view.words(texts);
      const promo = await read(input, view);
      const shown = await previewPromo(store, promo, { realNow: realClock(), now: view.now });
      const { used, losses } = shown;
      if (shown.isOverused) throw new InputError(overusedWords({ code: promo.code, uses: used.uses }));
      const [starts, ends] = [promo.starts_at, promo.ends_at].map((moment) =>
        at(moment, view).replace('T', ' '),
      );
      return html`${detailList([
        [words.code, promo.code],
        [words.off, offText(view, promo)],
        [words.conditions, conditionText(view, promo, await readCatalog())],
        [view.text(labels.quota), promo.quota === null ? null : view.number(promo.quota)],
        [words.span, promo.starts_at === null && promo.ends_at === null ? null : `${starts} – ${ends}`],
        [words.state, view.text(promoStateWords[promoState(used, view.now).is])],
      ])}${lossesNotice(view, losses)}`;
    },
    async perform(input, view) {
      await savePromo(deps, await read(input, view), view);
      return '/catalog/promos';
    },
  });
  return {
    create: action('create', { id: 'Buat promo', en: 'Create a promo' }),
    edit: action(':code/edit', { id: 'Ubah promo', en: 'Edit the promo' }),
  };
}
