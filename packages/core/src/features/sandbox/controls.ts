import { paymentStatusView } from '../../app/views/order.ts';
import {
  type Fields,
  faultFields,
  faultTitles,
  type OrderInput,
  ours,
  routes,
} from '../../contract/index.ts';
import { invalidFields } from '../../engine/errors.ts';
import type { ReachableState } from './actions.ts';
import type { Control } from './control.ts';
import { play } from './play.ts';
import type { Sandbox } from './sandbox.ts';
import { createFields, plantSeed } from './seed.ts';
import { type TriggerInput, trigger, triggerFields } from './trigger.ts';
import { postEvent, type WebhookFault, webhookFaults } from './webhooks.ts';

const webhooksOf = ({ webhooks: { secret, sent, receivers } }: Sandbox): object => ({
  secret,
  receivers,
  sent,
});

const required = { required: true } as const;

const faultsOf = ({ faults }: Sandbox): object => ({ faults: faults.list() });

/** All controls, by name. */
export const controls: Readonly<Record<string, Control>> = {
  faults: {
    method: 'GET',
    title: { id: 'Tampilkan gangguan', en: 'Show the faults' },
    effect: {
      id: 'menampilkan semua gangguan, yang terlama dahulu, dengan berapa kali masing-masing terjadi; juga yang sudah berakhir',
      en: 'lists all faults, including ended ones, oldest first, each with its number of uses',
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
      id: 'menambah gangguan: apa yang terjadi, pada panggilan mana, berapa kali, berapa lama; beberapa gangguan bisa aktif bersamaan',
      en: 'adds a fault with its effect, its calls, its number of uses and its duration; several faults can be active',
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
      en: 'removes one fault; without an id, all faults',
    },
    fields: [ours.integer('id', 'Id of the fault; default: all faults.', { min: 1 })],
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
  'create-order': {
    method: 'POST',
    title: { id: 'Buat pesanan dalam keadaan', en: 'Create an order in a state' },
    effect: {
      id: 'membuat pesanan dan membawanya ke keadaan tertentu',
      en: 'places an order and brings it to a state',
    },
    fields: createFields,
    titles: { state: { id: 'Keadaan', en: 'State' } },
    example: { ...routes.createOrder.example.body, state: 'PAID / Gagal' },
    mock: 'orders.create',
    returns: ['order_id', 'payment_status', 'buy_status'],
    async run(sandbox, { state, ...order }, accountId) {
      // Safe: both values were validated by the rules of their fields.
      const to = { state: state as ReachableState | undefined, accountId };
      return paymentStatusView(await sandbox.create(order as OrderInput, to)).data;
    },
  },
  trigger: {
    method: 'POST',
    title: { id: 'Picu peristiwa', en: 'Trigger an event' },
    effect: {
      id: 'memicu peristiwa sungguhan pada sebuah pesanan, atau pada pesanan baru dengan kolom yang diberikan; katalog mengisi kolom lainnya',
      en: 'triggers a real event for an order, or for a new order with the given fields; the catalogue fills the other fields',
    },
    fields: triggerFields,
    titles: {
      event: { id: 'Peristiwa', en: 'Event' },
      order: { id: 'Id pesanan (kosong: pesanan baru)', en: 'Order id (empty: a new order)' },
      reason: { id: 'Alasan pengiriman gagal', en: 'Why the delivery fails' },
    },
    example: { event: 'order.failed', product_id: 901, quantity: 3, reason: 'region_mismatch' },
    mock: 'trigger',
    returns: ['order_id', 'payment_status', 'buy_status'],
    async run(sandbox, input, accountId) {
      // Safe: the value was validated by the rules of these fields.
      return paymentStatusView(await trigger(sandbox, input as Fields & TriggerInput, accountId)).data;
    },
  },
  play: {
    method: 'POST',
    title: { id: 'Jalankan berkas langkah', en: 'Play a file of steps' },
    effect: {
      id: 'menjalankan berkas langkah: kontrol, tindakan dan harapan satu per satu; berhenti di langkah pertama yang gagal, dan menyebut nomornya',
      en: 'plays a file of steps in sequence: controls, actions and expectations; stops at the first failed step, and names its number',
    },
    fields: [ours.text('document', 'A file of steps, as its JSON.', { ...required, text: 'trimmed' })],
    titles: { document: { id: 'Berkas langkah (JSON)', en: 'File of steps (JSON)' } },
    document: 'document',
    fileKey: 'steps',
    mock: 'play',
    returns: ['steps', 'names'],
    run: (sandbox, { document }, accountId) => play(controls, sandbox, document, accountId),
  },
  snapshot: {
    method: 'POST',
    title: { id: 'Simpan keadaan', en: 'Take a snapshot' },
    effect: {
      id: 'menyimpan pesanan, jam, katalog dan gangguan sebagai JSON, tanpa kunci; 20 yang terakhir juga disimpan di memori (hanya dengan --store memory:)',
      en: 'shows orders, clock, catalogue and faults as JSON, without keys; the last 20 are also kept in memory (only with --store memory:)',
    },
    fields: [],
    titles: {},
    mock: 'snapshot',
    returns: ['id', 'snapshot'],
    printed: 'snapshot',
    run: (sandbox) => sandbox.snapshot(),
  },
  restore: {
    method: 'POST',
    title: { id: 'Pulihkan snapshot', en: 'Restore a snapshot' },
    effect: {
      id: 'memulihkan snapshot dari berkas, atau dari id yang masih disimpan',
      en: 'restores a snapshot from its file, or by an id that is still kept',
    },
    fields: [
      ours.integer('id', 'Id of the snapshot.', { min: 1 }),
      ours.text('snapshot', 'A snapshot, as its JSON.', { text: 'trimmed' }),
    ],
    titles: {
      id: { id: 'Id snapshot', en: 'Id of the snapshot' },
      snapshot: { id: 'Snapshot (JSON)', en: 'Snapshot (JSON)' },
    },
    example: { id: 1 },
    document: 'snapshot',
    mock: 'restore',
    returns: ['id'],
    async run(sandbox, { id, snapshot }) {
      await sandbox.restore({ ...(id !== undefined && { id: Number(id) }), snapshot });
      return { id: id ?? null };
    },
  },
  seed: {
    method: 'POST',
    title: { id: 'Isi sandbox', en: 'Fill the sandbox' },
    effect: {
      id: 'membuat isi sebuah berkas: jam, katalog, pesanan dalam keadaan tertentu, gangguan; semuanya atau tidak sama sekali (hanya dengan --store memory:)',
      en: 'creates the content of a file: clock, catalogue, orders in states, faults; completely or not at all (only with --store memory:)',
    },
    fields: [ours.text('document', 'A seed, as its JSON.', { ...required, text: 'trimmed' })],
    titles: { document: { id: 'Berkas isi (JSON)', en: 'Seed (JSON)' } },
    document: 'document',
    mock: 'populate',
    returns: ['orders'],
    run: async (sandbox, { document }, accountId) => ({
      orders: (await plantSeed(sandbox, document, accountId)).map((order) => paymentStatusView(order).data),
    }),
  },
  catalog: {
    method: 'GET',
    title: { id: 'Tampilkan katalog', en: 'Show the catalogue' },
    effect: { id: 'menampilkan katalog sebagai berkas', en: 'shows the catalogue as a file' },
    fields: [],
    titles: {},
    mock: 'catalog.get',
    returns: ['catalog'],
    printed: 'catalog',
    run: async (sandbox) => ({ catalog: await sandbox.catalog.read() }),
  },
  'replace-catalog': {
    method: 'POST',
    title: { id: 'Ganti katalog', en: 'Replace the catalogue' },
    effect: { id: 'mengganti seluruh katalog', en: 'replaces the whole catalogue' },
    fields: [
      ours.text('document', 'A catalogue file, as the text of its JSON.', { ...required, text: 'trimmed' }),
    ],
    titles: { document: { id: 'Berkas katalog (JSON)', en: 'Catalogue file (JSON)' } },
    document: 'document',
    mock: 'catalog.replace',
    returns: ['catalog'],
    async run(sandbox, { document }) {
      await sandbox.catalog.replace(document);
      return { catalog: await sandbox.catalog.read() };
    },
  },
  webhooks: {
    method: 'GET',
    title: { id: 'Tampilkan webhook', en: 'Show the webhooks' },
    effect: {
      id: 'menampilkan secret, penerima, dan peristiwa yang terkirim',
      en: 'shows the secret, the receivers and the events that were sent to them',
    },
    fields: [],
    titles: {},
    mock: 'webhooks.sent',
    returns: ['secret', 'receivers', 'sent'],
    run: webhooksOf,
  },
  'add-webhook': {
    method: 'POST',
    title: { id: 'Kirim peristiwa ke URL', en: 'Send events to a URL' },
    effect: {
      id: 'mengirim setiap peristiwa berikutnya dari pesanan kunci bawaan sandbox, bertanda tangan, ke sebuah URL; sekali saja, tanpa percobaan ulang',
      en: "sends each new event of the orders of the sandbox's own key to a URL, signed; the sandbox does not retry",
    },
    fields: [ours.text('url', 'URL of the receiver.', { ...required, format: 'return-url', text: 'exact' })],
    titles: { url: { id: 'URL', en: 'URL' } },
    example: { url: 'http://127.0.0.1:3000/hooks' },
    mock: 'webhooks.deliverTo',
    returns: ['secret', 'receivers', 'sent'],
    run(sandbox, { url }) {
      // A URL gets each event once, even if a set-up adds the URL several times.
      if (!sandbox.webhooks.receivers.includes(String(url)))
        sandbox.webhooks.deliverTo(postEvent, String(url));
      return webhooksOf(sandbox);
    },
  },
  'remove-webhooks': {
    method: 'POST',
    title: { id: 'Akhiri pengiriman peristiwa', en: 'Stop sending events' },
    effect: { id: 'mengakhiri pengiriman ke semua penerima', en: 'stops sending events to all receivers' },
    fields: [],
    titles: {},
    mock: 'webhooks.off',
    returns: ['secret', 'receivers', 'sent'],
    run(sandbox) {
      sandbox.webhooks.off();
      return webhooksOf(sandbox);
    },
  },
  'fault-webhook': {
    method: 'POST',
    title: { id: 'Ganggu peristiwa berikutnya', en: 'Disturb the next events' },
    effect: {
      id: 'mengganggu peristiwa berikutnya: late (menunggu release-webhooks), twice, out-of-order, forged (tanda tangan palsu), lost',
      en: 'makes the next events go wrong: late (held until release-webhooks), twice, out-of-order (sent after the next one), forged (signed with another secret), lost (never sent)',
    },
    fields: [
      ours.text('fault', 'What goes wrong.', { ...required, options: webhookFaults }),
      ours.integer('times', 'Number of the next events to disturb; default: 1.', { min: 1, max: 1_000 }),
    ],
    titles: { fault: { id: 'Gangguan', en: 'Fault' }, times: { id: 'Berapa kali', en: 'How often' } },
    example: { fault: 'twice', times: 2 },
    mock: 'webhooks.fault',
    returns: ['secret', 'receivers', 'sent'],
    run(sandbox, { fault, times = 1 }) {
      sandbox.webhooks.fault(fault as WebhookFault, Number(times)); // Safe: the value is one of the options.
      return webhooksOf(sandbox);
    },
  },
  'release-webhooks': {
    method: 'POST',
    title: { id: 'Kirim peristiwa yang tertunda', en: 'Send late events' },
    effect: { id: 'mengirim peristiwa yang tertunda', en: 'sends late events' },
    fields: [],
    titles: {},
    mock: 'webhooks.release',
    returns: ['secret', 'receivers', 'sent'],
    async run(sandbox) {
      await sandbox.webhooks.release();
      return webhooksOf(sandbox);
    },
  },
  'resend-webhook': {
    method: 'POST',
    title: { id: 'Kirim ulang peristiwa', en: 'Send an event again' },
    effect: {
      id: 'mengirim ulang peristiwa dengan id yang sama',
      en: 'sends an event again, with the same id',
    },
    fields: [ours.text('id', 'Id of an event that was sent or lost.', required)],
    titles: { id: { id: 'Id peristiwa', en: 'Id of the event' } },
    example: { id: 'evt_1' },
    mock: 'webhooks.resend',
    returns: ['secret', 'receivers', 'sent'],
    async run(sandbox, { id }) {
      if (!sandbox.webhooks.sent.some((event) => event.id === id))
        throw invalidFields({ id: [{ rule: 'option' }] });
      await sandbox.webhooks.resend(String(id));
      return webhooksOf(sandbox);
    },
  },
  'settle-webhooks': {
    method: 'POST',
    title: { id: 'Tunggu pengiriman peristiwa', en: 'Wait for the events' },
    effect: {
      id: 'menunggu sampai semua peristiwa terkirim dan penerimanya menjawab',
      en: 'waits until all events were sent and their receivers have responded',
    },
    fields: [],
    titles: {},
    mock: 'webhooks.settled',
    returns: ['secret', 'receivers', 'sent'],
    async run(sandbox) {
      // In the list of sent events, a failed receiver has the status null.
      await sandbox.webhooks.settled().catch(() => {});
      return webhooksOf(sandbox);
    },
  },
};
