import type { createUrls } from '@topup-kit/core/app';
import { earningsOf } from '@topup-kit/core/engine';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { type Content, card, copyableCode, facts } from '../parts.ts';
import type { View } from '../view.ts';
import type { OrderStory } from './story.ts';

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
    copy: 'Salin',
    copyId: 'Salin id',
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
    copy: 'Copy',
    copyId: 'Copy the id',
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

/** The price of the order, what was paid, and what is left of it. */
export function priceCard(view: View, story: OrderStory): Markup {
  const words = view.text(texts);
  const { pricing } = story.order;
  const earnings = earningsOf(story);
  const amount = (value: number, why: Content = ''): Markup =>
    html`<span class="amount">${view.money(value)}${why === '' ? '' : html` <span class="soft">${why}</span>`}</span>`;
  const prices = facts([
    [words.unitPrice, amount(pricing.unit_price_before_promo, `× ${pricing.quantity}`)],
    [words.promo, pricing.has_promo ? amount(-pricing.promo_discount, pricing.promo_code ?? '') : null],
    [words.fee, pricing.payment_fee === 0 ? null : amount(pricing.payment_fee)],
    [words.uniqueCode, pricing.unique_code === 0 ? null : amount(pricing.unique_code)],
    [words.total, html`<strong>${amount(pricing.total_price)}</strong>`],
  ]);
  if (!earnings) return card(words.price, prices);
  const { turnover, returned, gatewayFees, reportedFees, cost, listedCost, unknownCosts } = earnings;
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
      [words.profit, html`<strong>${amount(earnings.profit)}</strong>`],
    ])}`,
  );
}
