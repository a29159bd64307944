import { randomUUID } from 'node:crypto';
import { headers, isScenario, parseDuration } from '@topup-kit/core/contract';
import { html } from '../../../pages/html.ts';
import { type ConsoleAction, type Field, InputError } from '../actions.ts';
import type { ConsoleDependencies } from '../view.ts';
import { worldCookie } from '../world.ts';

const texts = {
  reset: {
    id: 'Semua pesanan sandbox dihapus, jam kembali ke waktu nyata, dan skenario berakhir.',
    en: 'All orders of the sandbox are deleted, the clock is set to real time, and the scenario ends.',
  },
};

const noResponse = {
  id: 'Koneksi diputus tanpa jawaban, seperti yang diminta skenarionya.',
  en: 'The connection was cut without a response, as the scenario asks.',
};

/** Initial values of the order form. */
const firstOrder = { id: '12345678', server: '2012', whatsapp: '081234567890', quantity: '1' };

const orderFields = (defaults: Readonly<Record<string, string>>): Field[] =>
  [
    { name: 'game', label: { id: 'Game (slug)', en: 'Game (slug)' }, required: true },
    { name: 'product_id', label: { id: 'Id produk', en: 'Product id' }, required: true },
    { name: 'payment_method_id', label: { id: 'Id metode bayar', en: 'Payment method id' }, required: true },
    { name: 'quantity', label: { id: 'Jumlah', en: 'Quantity' }, required: true },
    { name: 'id', label: { id: 'Id pemain', en: 'Player id' }, required: true },
    { name: 'server', label: { id: 'Server pemain', en: 'Player’s server' } },
    { name: 'whatsapp', label: { id: 'Nomor WhatsApp', en: 'WhatsApp number' }, required: true },
    { name: 'promo_code', label: { id: 'Kode promo', en: 'Promo code' } },
  ].map((field) => ({ ...field, value: defaults[field.name] ?? '' }));

const numbers = ['product_id', 'payment_method_id', 'quantity'];

/** Creates the body of a request, without empty fields. */
const orderBody = (fields: Readonly<Record<string, string>>): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(fields)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => [
          name,
          numbers.includes(name) && /^\d+$/.test(value) ? Number(value) : value,
        ]),
    ),
  );

const durationField: Field = {
  name: 'by',
  label: { id: 'Berapa lama (30s, 31m, 24h, 7d)', en: 'By how much (30s, 31m, 24h, 7d)' },
  required: true,
  value: '31m',
};

/** Creates the actions on a sandbox; see `topup sandbox`. They take no notes. */
export function sandboxActionsOf({ engine, sandbox, send }: ConsoleDependencies) {
  const action = (
    name: string,
    rest: Pick<ConsoleAction, 'title' | 'fields' | 'preview' | 'perform'>,
  ): ConsoleAction => ({ path: `/sandbox/${name}`, section: 'sandbox', isWithoutNote: true, ...rest });

  /** Every described control gets a form. */
  const described = Object.entries(sandbox?.controls ?? {})
    .filter(([, { method }]) => method === 'POST')
    .map(([name, control]) =>
      action(name, {
        title: control.title,
        fields: () =>
          control.fields.map((field) => ({
            name: field.name,
            label: control.titles[field.name] ?? { id: field.name, en: field.name },
            ...(field.required && { required: true }),
            ...(field.type === 'string' &&
              field.options && { hint: { id: field.options.join(', '), en: field.options.join(', ') } }),
          })),
        async perform({ fields }) {
          const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
          if (sandbox) await control.run(sandbox, sandbox.readInput(control, filled));
          return '/sandbox';
        },
      }),
    );

  return {
    described,
    advance: action('advance', {
      title: { id: 'Majukan jam', en: 'Move the clock' },
      fields: () => [durationField],
      async perform({ fields: { by = '' } }) {
        const duration = parseDuration(by);
        if (duration === undefined)
          throw new InputError({
            id: `"${by}" bukan durasi; contoh: 30s, 31m, 24h, 7d atau 1h30m.`,
            en: `"${by}" is not a duration; examples are 30s, 31m, 24h, 7d or 1h30m.`,
          });
        await sandbox?.advance(duration);
        return '/sandbox';
      },
    }),
    scenario: action('scenario', {
      title: { id: 'Pilih skenario', en: 'Choose a scenario' },
      fields: () => [{ name: 'name', label: { id: 'Nama', en: 'Name' }, required: true }],
      async perform({ fields: { name = '' } }) {
        if (!isScenario(name))
          throw new InputError({
            id: `Tidak ada skenario "${name}".`,
            en: `There is no scenario "${name}".`,
          });
        sandbox?.chooseScenario(name);
        return '/sandbox';
      },
    }),
    reset: action('reset', {
      title: { id: 'Mulai dari awal', en: 'Start again' },
      preview: async (_input, view) => html`<p>${view.words(texts).reset}</p>`,
      async perform() {
        await sandbox?.reset();
        return '/sandbox';
      },
    }),
    order: action('order', {
      title: { id: 'Buat pesanan uji', en: 'Place a test order' },
      async fields() {
        const key = randomUUID();
        const { games, paymentMethods } = await engine.catalog();
        const game = games.find(
          ({ status, products }) => status && products.some((product) => product.status),
        );
        const product = game?.products.find(({ status }) => status);
        const method = paymentMethods.find(({ status }) => status);
        const fields = orderFields({
          ...firstOrder,
          game: game?.slug ?? '',
          product_id: String(product?.id ?? ''),
          payment_method_id: String(method?.id ?? ''),
        });
        return [...fields, { name: 'key', label: { id: '', en: '' }, isHidden: true, value: key }];
      },
      // Uses the API, so that the request appears in the journal.
      async perform({ fields: { key = '', ...fields } }, view) {
        const response = await send('/order', {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            [headers.acceptLanguage]: view.locale,
            // Ensures that sending the form twice places only one order.
            [headers.idempotencyKey]: key,
          },
          body: orderBody(fields),
        });
        // A simulated network error.
        if (response.type === 'error') throw new InputError(noResponse);
        // A fault may send an HTML page or half a body.
        const { message = '', data } = await response.json().catch(() => {
          throw new InputError(noResponse);
        });
        if (data?.order_id !== undefined) return `/orders/${data.order_id}`;
        throw new InputError({ id: message, en: message });
      },
    }),
    world: action('world', {
      title: { id: 'Tampilkan dunia', en: 'Show a world' },
      fields: () => [{ name: 'key', label: { id: 'Nama', en: 'Name' }, required: true }],
      async perform({ fields: { key = '' } }) {
        return { to: '/sandbox', cookie: worldCookie(key) };
      },
    }),
  };
}
export type SandboxActions = ReturnType<typeof sandboxActionsOf>;
