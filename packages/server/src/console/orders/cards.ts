import type { createUrls } from '@topup-kit/core/app';
import { profitOf } from '@topup-kit/core/engine';
import { addFigures, noFigures, type SalesFigures, type StoredUnit, saleLines } from '@topup-kit/core/store';
import { supplyReference } from '@topup-kit/core/supplier';
import { html } from 'hono/html';
import type { Markup } from '../../pages/html.ts';
import { actionLink, type ConsoleAction } from '../actions.ts';
import { badge, type Content, card, copyableCode, dataTable, facts } from '../parts.ts';
import type { View } from '../view.ts';
import type { OrderStory } from './story.ts';
import { unitWords } from './words.ts';

const texts = {
  id: {
    customer: 'Pelanggan dan tujuan',
    phone: 'WhatsApp',
    email: 'Email',
    game: 'Game',
    product: 'Produk',
    player: 'Pemain',
    server: 'Server',
    nickname: 'Nama panggilan',
    account: 'Akun API',
    placed: 'Dibuat',
    expires: 'Batas bayar',
    method: 'Metode',
    code: 'Kode bayar',
    reference: 'Referensi',
    gateway: 'Gateway',
    page: 'Halaman pembayaran',
    open: 'Buka',
    others: 'Pesanan lain dari nomor ini',
    price: 'Harga',
    unitPrice: 'Harga satuan',
    promo: 'Promo',
    fee: 'Biaya metode',
    uniqueCode: 'Kode unik',
    total: 'Total',
    received: 'Dibayar',
    returned: 'Dikembalikan atau terutang',
    gatewayFees: 'Potongan gateway',
    byRule: 'menurut aturan metode',
    cost: 'Modal',
    listed: 'harga daftar',
    unknownCosts: 'modal tidak diketahui',
    profit: 'Laba',
    units: 'Barang',
    item: 'Barang',
    state: 'Status',
    attempt: 'Percobaan',
    supplier: 'Pemasok',
    supplierId: 'id pemasok',
    proof: 'Bukti atau alasan',
    next: 'Ditanya lagi',
    waitsForBalance: 'menunggu saldo',
    copy: 'Salin',
    copyId: 'Salin id',
    none: 'Belum ada: pesanan belum dibayar.',
  },
  en: {
    customer: 'Customer and target',
    phone: 'WhatsApp',
    email: 'E-mail',
    game: 'Game',
    product: 'Product',
    player: 'Player',
    server: 'Server',
    nickname: 'Nickname',
    account: 'API account',
    placed: 'Placed',
    expires: 'To be paid by',
    method: 'Method',
    code: 'Payment code',
    reference: 'Reference',
    gateway: 'Gateway',
    page: 'Payment page',
    open: 'Open',
    others: 'Other orders of this number',
    price: 'Price',
    unitPrice: 'Unit price',
    promo: 'Promo',
    fee: 'Fee of the method',
    uniqueCode: 'Unique code',
    total: 'Total',
    received: 'Paid',
    returned: 'Paid back or owed',
    gatewayFees: 'Kept by the gateway',
    byRule: 'by the rule of the method',
    cost: 'Cost',
    listed: 'listed price',
    unknownCosts: 'costs unknown',
    profit: 'Profit',
    units: 'Items',
    item: 'Item',
    state: 'State',
    attempt: 'Attempt',
    supplier: 'Supplier',
    supplierId: 'supplier’s id',
    proof: 'Proof or reason',
    next: 'Asked again',
    waitsForBalance: 'waits for the balance',
    copy: 'Copy',
    copyId: 'Copy the id',
    none: 'None yet: the order was not paid.',
  },
};

/** What copies the id of an order, which is the heading of its page. */
export const copyId = (view: View, orderId: string): Markup =>
  html`<span class="hidden" id="order-id">${orderId}</span><span class="copy" data-target="order-id" data-name="${view.text(texts).copyId}"></span>`;

/** Whom the order is of, for whom, and how it is paid. */
export function customerCard(
  view: View,
  { order }: OrderStory,
  { urls }: { urls: ReturnType<typeof createUrls> },
): Markup {
  const words = view.text(texts);
  const { contact, target, game, product, payment, paymentMethod, pricing } = order;
  const { whatsapp, email } = contact;
  const code = payment.qrString === null ? payment.code : null;
  return card(
    words.customer,
    facts([
      [
        words.phone,
        html`${copyableCode('phone', whatsapp, words.copy)} <a href="${view.link(`/orders?q=${encodeURIComponent(whatsapp)}`)}">${words.others}</a>`,
      ],
      [words.email, email],
      [words.game, game.title],
      [words.product, html`${product.title} × ${pricing.quantity} <span class="soft">${product.code}</span>`],
      [words.player, copyableCode('player', target.id, words.copy)],
      [words.server, target.server],
      [words.nickname, target.nickname],
      [words.account, order.accountId],
      [words.placed, view.time(order.createdAt)],
      [words.expires, order.paymentStatus === 'UNPAID' ? view.time(order.expiresAt) : null],
      [words.method, paymentMethod.name],
      [words.gateway, order.gateway],
      [words.reference, copyableCode('payment-reference', payment.reference, words.copy)],
      [words.code, code === null || code === payment.url ? null : copyableCode('code', code, words.copy)],
      [words.page, html`<a href="${urls.payment(order)}" rel="noreferrer">${words.open}</a>`],
    ]),
  );
}

/** What the order earned; null while it is not paid. */
function figuresOf({ order, units, history, refunds }: OrderStory): SalesFigures | null {
  const lines = saleLines({ order, units, history, refunds });
  return lines.length === 0 ? null : lines.reduce<SalesFigures>(addFigures, noFigures);
}

/** The price of the order, what was paid, and what is left of it. */
export function priceCard(view: View, story: OrderStory): Markup {
  const words = view.text(texts);
  const { pricing } = story.order;
  const figures = figuresOf(story);
  const amount = (value: number, why: Content = ''): Markup =>
    html`<span class="amount">${view.money(value)}${why === '' ? '' : html` <span class="soft">${why}</span>`}</span>`;
  const prices = facts([
    [words.unitPrice, amount(pricing.unit_price_before_promo, `× ${pricing.quantity}`)],
    [words.promo, pricing.has_promo ? amount(-pricing.promo_discount, pricing.promo_code ?? '') : null],
    [words.fee, pricing.payment_fee === 0 ? null : amount(pricing.payment_fee)],
    [words.uniqueCode, pricing.unique_code === 0 ? null : amount(pricing.unique_code)],
    [words.total, html`<strong>${amount(pricing.total_price)}</strong>`],
  ]);
  if (!figures) return card(words.price, prices);
  const { turnover, returned, gatewayFees, reportedFees, cost, listedCost, unknownCosts } = figures;
  const costWords = [
    ...(listedCost > 0 ? [words.listed] : []),
    ...(unknownCosts > 0 ? [`${view.number(unknownCosts)} × ${words.unknownCosts}`] : []),
  ];
  return card(
    words.price,
    html`${prices}<h3>${words.profit}</h3>${facts([
      [words.received, amount(turnover)],
      [words.returned, returned === 0 ? null : amount(-returned)],
      [
        words.gatewayFees,
        gatewayFees === 0 ? null : amount(-gatewayFees, reportedFees === gatewayFees ? '' : words.byRule),
      ],
      [words.cost, amount(cost === 0 ? 0 : -cost, costWords.join(', '))],
      [words.profit, html`<strong>${amount(profitOf(figures))}</strong>`],
    ])}`,
  );
}

/** What tells how an item ended, or why it has not. */
function proofOf(view: View, { serialNumber, reason, contradiction, waitsFor }: StoredUnit): Markup {
  return html`${serialNumber === null ? (reason ?? '') : html`<code>${serialNumber}</code>`}
${contradiction === null ? '' : html`<p class="notice bad">${contradiction}</p>`}
${waitsFor === null ? '' : badge(view.text(texts).waitsForBalance, 'busy')}`;
}

/** The items with what is known of them at their suppliers; `mark` is offered for each that may not have been delivered. */
export function unitsCard(
  view: View,
  { order: { orderId }, units }: OrderStory,
  mark: ConsoleAction | null,
): Markup {
  const words = view.text(texts);
  const reference = (unit: StoredUnit): Content =>
    unit.askedAt === null
      ? ''
      : html`${copyableCode(`reference-${unit.unit}`, supplyReference({ orderId, unit: unit.unit, attempt: unit.attempt }), words.copy)}${
          unit.supplierId === null
            ? ''
            : html`<div class="soft">${words.supplierId} ${copyableCode(`supplier-id-${unit.unit}`, unit.supplierId, words.copy)}</div>`
        }`;
  return card(
    words.units,
    dataTable({
      caption: words.units,
      columns: [
        { title: words.item, isNumber: true },
        { title: words.state },
        { title: words.supplier },
        { title: words.reference },
        { title: words.cost, isNumber: true },
        { title: words.proof },
        { title: words.next },
        { title: '' },
      ],
      rows: units.map((unit) => ({
        id: `unit-${unit.unit}`,
        tone: unitWords[unit.state].tone === 'bad' ? 'bad' : 'quiet',
        cells: [
          unit.unit,
          html`${badge(view.text(unitWords[unit.state].text), unitWords[unit.state].tone)}${unit.attempt > 1 ? html`<div class="soft">${words.attempt} ${unit.attempt}</div>` : ''}`,
          unit.supplier ?? '',
          reference(unit),
          unit.cost === null
            ? ''
            : html`${view.money(unit.cost)}${unit.costSource === 'listed' ? html`<div class="soft">${words.listed}</div>` : ''}`,
          proofOf(view, unit),
          unit.nextAt === null || unit.state === 'unknown' ? '' : view.time(unit.nextAt),
          mark && (unit.state !== 'delivered' || unit.contradiction !== null)
            ? actionLink(view, mark, { id: orderId }, { fields: { unit: String(unit.unit) } })
            : '',
        ],
      })),
      empty: words.none,
      stacks: true,
    }),
  );
}
