import { languageHeaders } from '@topup-kit/core/app';
import type { Locale } from '@topup-kit/core/contract';
import { html, htmlHeaders, inlineSource, raw } from './html.ts';

const style = `
:root { color-scheme: light dark; }
body { max-width: 28rem; margin: 0 auto; padding: 3rem 1.5rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.25rem; }
`;

const headers = htmlHeaders([`style-src ${inlineSource(style)}`, "form-action 'none'"]);

const unavailable = {
  id: {
    title: 'Halaman ini sedang bermasalah',
    text: 'Silakan coba lagi nanti. Pesanan Anda tidak hilang.',
  },
  en: {
    title: 'This page is not available right now',
    text: 'Try again in a moment. Your order is not lost.',
  },
} as const;

const texts = {
  404: {
    id: { title: 'Pembayaran tidak ditemukan', text: 'Periksa kembali alamat yang Anda terima dari toko.' },
    en: { title: 'Payment not found', text: 'Check the address that you got from the shop.' },
  },
  500: unavailable,
  503: unavailable,
} as const;

/** Renders the page that a customer sees if the payment page can't be shown. */
export async function errorPage(status: keyof typeof texts, locale: Locale): Promise<Response> {
  const { title, text } = texts[status][locale];
  const page = await html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
<main><h1>${title}</h1><p>${text}</p></main>
</body>
</html>`;
  return new Response(String(page), { status, headers: { ...headers, ...languageHeaders(locale) } });
}
