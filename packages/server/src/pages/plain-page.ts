import type { Locale } from '@topup-kit/core/contract';
import { html, raw } from 'hono/html';
import { inlineSource } from './inline-source.ts';

const style = `
:root { color-scheme: light dark; }
body { max-width: 28rem; margin: 0 auto; padding: 3rem 1.5rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.25rem; }
`;

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; style-src ${inlineSource(style)}; base-uri 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
};

const words = {
  404: {
    id: { title: 'Pembayaran tidak ditemukan', says: 'Periksa kembali alamat yang Anda terima dari toko.' },
    en: { title: 'There is no such payment', says: 'Check the address that you got from the shop.' },
  },
  500: {
    id: {
      title: 'Halaman ini sedang bermasalah',
      says: 'Coba lagi sebentar lagi. Pesanan Anda tidak hilang.',
    },
    en: {
      title: 'This page does not work right now',
      says: 'Try again in a moment. Your order is not lost.',
    },
  },
} as const;

/** What a customer is told instead of a payment page. */
export async function plainPage(status: 404 | 500, locale: Locale): Promise<Response> {
  const { title, says } = words[status][locale];
  const page = await html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
<main><h1>${title}</h1><p>${says}</p></main>
</body>
</html>`;
  return new Response(String(page), { status, headers });
}
