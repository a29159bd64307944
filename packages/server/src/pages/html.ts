import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';

export { html, raw };

export type Markup = ReturnType<typeof html>;

/** Returns the Content-Security-Policy source that allows exactly this inline style or script. */
export const inlineSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Creates the headers of a page that may load only what `policy` allows, has no other base, and is in no frame. With `no-referrer`, its
 * forms are sent without their origin.
 */
export const htmlHeaders = (
  policy: readonly string[],
  referrer: 'no-referrer' | 'same-origin' = 'no-referrer',
): Record<string, string> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': [
    "default-src 'none'",
    ...policy,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  // The address of a payment page is a secret.
  'Referrer-Policy': referrer,
});

/** Adds a copy button to each snippet. Without a clipboard, as on plain http, there is no button. */
export const copyScript = `
for (const bar of navigator.clipboard ? document.querySelectorAll('.copy') : []) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy ' + bar.dataset.name);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(bar.dataset.target).textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  bar.append(button);
}
`;

/** Renders a text to copy, below its heading. */
export const snippet = ({
  id,
  heading,
  name,
  text,
}: {
  id: string;
  heading: Markup;
  /** Name of the copied text, for screen readers. */
  name: string;
  text: string;
}): Markup => html`<div class="bar copy" data-target="${id}" data-name="${name}">${heading}</div>
<pre id="${id}" tabindex="0">${text}</pre>`;
