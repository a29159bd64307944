import { languageHeaders, ownPaths } from '@topup-kit/core/app';
import type { Locale } from '@topup-kit/core/contract';
import type { ServerConfig } from '../config/config.ts';
import { statusIcon } from './display-status.ts';
import { html, htmlHeaders, inlineSource, type Markup, raw } from './html.ts';
import { paymentStyle } from './payment-style.ts';

/** The shop whose customers see the pages. */
export interface Shop {
  /** Name of the shop; null if no setting contains it. */
  name: string | null;
  /** URL of the storefront; null if no setting contains it. */
  url: string | null;
}

/** Returns the shop in these settings; without a name, its address is its name. */
export function shopOf({
  shopName,
  shopUrl,
  publicUrl,
}: Pick<ServerConfig, 'shopName' | 'shopUrl' | 'publicUrl'>): Shop {
  const address = shopUrl ?? publicUrl;
  return { name: shopName ?? (address ? new URL(address).host : null), url: shopUrl ?? null };
}

const headers = htmlHeaders([`style-src ${inlineSource(paymentStyle)}`, "form-action 'none'"]);

const texts = {
  id: {
    unnamed: 'Toko top up game',
    open: ['Buka', 'Pesanan diterima dan diproses.'],
    closed: [
      'Tutup sementara',
      'Pesanan baru belum bisa diterima. Pesanan yang sudah dibayar tetap diproses.',
    ],
    toShop: 'Ke toko',
    developers: 'Untuk pengembang',
    api: 'dokumentasi API',
  },
  en: {
    unnamed: 'Game top-up shop',
    open: ['Open', 'Orders are accepted and delivered.'],
    closed: ['Closed for now', 'New orders can’t be accepted yet. Paid orders are still delivered.'],
    toShop: 'Go to the shop',
    developers: 'For developers',
    api: 'API documentation',
  },
} as const;

/** Renders a link from a page to the shop; nothing without an address. */
export const linkBack = (url: string | null, text: string, kind: 'button' | ''): Markup | '' =>
  url === null ? '' : html`<p class="return"><a class="${kind}" href="${url}">${text}</a></p>`;

/** Renders the page of a live server at `/`: the name of the shop, whether it is open, and a link to it. */
export async function shopFront(
  shop: Shop,
  { isOpen, locale }: { isOpen: boolean; locale: Locale },
): Promise<Response> {
  const words = texts[locale];
  const name = shop.name ?? words.unnamed;
  const [state, text] = words[isOpen ? 'open' : 'closed'];
  const page = await html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<style>${raw(paymentStyle)}</style>
</head>
<body>
<main data-status="${isOpen ? 'delivered' : 'waiting'}">
<h1>${name}</h1>
<div class="status">${statusIcon(isOpen ? 'delivered' : 'waiting')}
<div><strong>${state}</strong><p>${text}</p></div></div>
${linkBack(shop.url, words.toShop, 'button')}
<p class="reload">${words.developers}: <a href="${ownPaths.docs.slice(1)}">${words.api}</a></p>
</main>
</body>
</html>`;
  return new Response(String(page), {
    headers: { ...headers, ...languageHeaders(locale), Vary: 'Accept, Accept-Language' },
  });
}
