import type { createUrls } from '@topup-kit/core/app';
import { earningsOf } from '@topup-kit/core/engine';
import { html, type Markup } from '../../../pages/html.ts';
import { type Content, card, copyableCode, detailList, profitText } from '../parts.ts';
import type { View } from '../view.ts';
import type { OrderStory } from './story.ts';

const texts = {
  customer: { id: 'Pelanggan dan tujuan', en: 'Customer and target' },
  email: { id: 'Email', en: 'E-mail' },
  player: { id: 'Pemain', en: 'Player' },
  server: { id: 'Server', en: 'Server' },
  nickname: { id: 'Nama panggilan', en: 'Nickname' },
  account: { id: 'Akun API', en: 'API account' },
  expires: { id: 'Batas bayar', en: 'To be paid by' },
  code: { id: 'Kode bayar', en: 'Payment code' },
  gateway: { id: 'Gateway', en: 'Gateway' },
  page: { id: 'Halaman pembayaran', en: 'Payment page' },
  open: { id: 'Buka', en: 'Open' },
  others: { id: 'Pesanan lain dari nomor ini', en: 'Other orders of this number' },
  unitPrice: { id: 'Harga satuan', en: 'Unit price' },
  promo: { id: 'Promo', en: 'Promo' },
  fee: { id: 'Biaya metode', en: 'Fee of the method' },
  uniqueCode: { id: 'Kode unik', en: 'Unique code' },
  received: { id: 'Dibayar', en: 'Paid' },
  returned: { id: 'Dikembalikan atau terutang', en: 'Paid back or owed' },
  gatewayFees: { id: 'Potongan gateway', en: 'Kept by the gateway' },
  byRule: { id: 'menurut aturan metode', en: 'by the rule of the method' },
  listed: { id: 'harga daftar', en: 'listed price' },
  unknownCosts: { id: 'modal tidak diketahui', en: 'costs unknown' },
  copyId: { id: 'Salin id', en: 'Copy the id' },
};

/** Renders a button that copies the order's id, which is the heading of its page. */
export const copyId = (view: View, orderId: string): Markup =>
  html`<span class="hidden" id="order-id">${orderId}</span><span class="copy" data-target="order-id" data-name="${view.words(texts).copyId}"></span>`;

/** Renders the customer, the player and the payment method. */
export function customerCard(
  view: View,
  { order }: OrderStory,
  { urls }: { urls: ReturnType<typeof createUrls> },
): Markup {
  const words = view.words(texts);
  const { contact, target, game, product, payment, paymentMethod, pricing } = order;
  const { whatsapp, email } = contact;
  const code = payment.qrString === null ? payment.code : null;
  return card(
    words.customer,
    detailList([
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

/** Renders the price of the order, the payment, and the profit. */
export function priceCard(view: View, story: OrderStory): Markup {
  const words = view.words(texts);
  const { pricing } = story.order;
  const earnings = earningsOf(story);
  const amount = (value: number, why: Content = ''): Markup =>
    html`<span class="amount">${view.money(value)}${why === '' ? '' : html` <span class="soft">${why}</span>`}</span>`;
  const prices = detailList([
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
    html`${prices}<h3>${words.profit}</h3>${detailList([
      [words.received, amount(turnover)],
      [words.returned, returned === 0 ? null : amount(-returned)],
      [
        words.gatewayFees,
        gatewayFees === 0 ? null : amount(-gatewayFees, reportedFees === gatewayFees ? '' : words.byRule),
      ],
      [words.cost, amount(cost === 0 ? 0 : -cost, costWords.join(', '))],
      [words.profit, html`<strong>${profitText(view, earnings)}</strong>`],
    ])}`,
  );
}
