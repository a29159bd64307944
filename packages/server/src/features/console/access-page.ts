import { languageHeaders } from '@topup-kit/core/app';
import type { Locale } from '@topup-kit/core/contract';
import { html, htmlHeaders, type Markup } from '../../pages/html.ts';
import { styleFile } from './files.ts';
import { icon } from './icons.ts';

const headers = htmlHeaders(["style-src 'self'", 'img-src data:', "form-action 'self'"], 'same-origin');

/** A page for a visitor without a session. */
interface AccessPage {
  status: 200 | 401 | 403 | 404 | 410 | 429 | 503;
  title: string;
  content: Markup;
  headers?: Record<string, string>;
}

/** Renders a page without the console's frame and without data of the shop. */
export async function renderAccessPage(
  page: AccessPage,
  { locale, path }: { locale: Locale; path: string },
): Promise<Response> {
  const body = await html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.title} · Topup Kit</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${path}${styleFile.path}">
</head>
<body class="plain">
<main class="panel">
<p class="brand">${icon('bolt')}Topup Kit</p>
<div class="card">
<h1>${page.title}</h1>
${page.content}
</div>
</main>
</body>
</html>`;
  return new Response(String(body), {
    status: page.status,
    headers: { ...headers, ...languageHeaders(locale), ...page.headers },
  });
}

/** Renders a form that sends the fields of an earlier form again. */
export const resendForm = (fields: Readonly<Record<string, string>>, label: string): Markup =>
  html`<form method="post">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="main">${label}</button></form>`;

export const accessTexts = {
  id: {
    notLoggedIn: 'Anda belum masuk',
    ended: 'Sesi Anda sudah berakhir',
    getLink: 'Di mesin server, buat tautan masuk dan buka di peramban ini:',
    directOnly:
      'Konsol sandbox ini hanya menjawab permintaan langsung dari mesinnya sendiri. Agar yang lain bisa masuk, jalankan server dengan TOPUP_CONSOLE=act (atau read), lalu:',
    kept: 'Belum ada yang dilakukan, dan isian Anda tidak hilang: masuklah di tab lain, lalu coba lagi di sini.',
    again: 'Coba lagi',
    otherPage: 'Permintaan ini ditolak',
    otherPageText:
      'Hanya halaman konsol sendiri yang boleh mengirim formulir ini. Belum ada yang dilakukan. Buka konsol dan lakukan di sana.',
    tooMany: 'Terlalu banyak permintaan',
    tooManyText: 'Terlalu banyak permintaan dari alamat Anda. Coba lagi sebentar lagi.',
    storeFails: 'Penyimpanan sedang tidak menjawab',
    storeFailsText: 'Belum ada yang dilakukan, dan tidak ada yang hilang. Coba lagi sebentar lagi.',
    logIn: 'Masuk sebagai',
    logInText: 'Tautan ini hanya berlaku sekali. Riwayat mencatat tindakan Anda di konsol dengan nama ini.',
    link_missing: 'Tautan ini tidak dikenal',
    link_used: 'Tautan ini sudah dipakai',
    link_expired: 'Tautan ini sudah kedaluwarsa',
    notYou: 'Jika orang lain yang memakainya, akhiri semua sesi: topup console sessions --end-all',
  },
  en: {
    notLoggedIn: 'You are not logged in',
    ended: 'Your session has ended',
    getLink: "On the server's machine, make a link, and open it in this browser:",
    directOnly:
      'The console of this sandbox responds only to direct requests from its own machine. To let others log in, start the server with TOPUP_CONSOLE=act (or read), and then:',
    kept: 'Nothing was done yet, and what you typed is not lost: log in in another tab, then try again here.',
    again: 'Try again',
    otherPage: 'This request was rejected',
    otherPageText:
      'Only the pages of the console may send this form. Nothing was done. Open the console, and do it there.',
    tooMany: 'Too many requests',
    tooManyText: 'Too many requests came from your address. Try again in a moment.',
    storeFails: 'The store does not respond',
    storeFailsText: 'Nothing was done, and nothing is lost. Try again in a moment.',
    logIn: 'Log in as',
    logInText: 'This link works once. The history records your actions under this name.',
    link_missing: 'This link is unknown',
    link_used: 'This link was already used',
    link_expired: 'This link has expired',
    notYou: 'If somebody else used it, end all sessions: topup console sessions --end-all',
  },
};

export const linkCommand = html`<pre tabindex="0">topup console link</pre>`;
