import { html } from 'hono/html';
import type { Markup } from './html.ts';

/** Adds a button to each snippet that copies it. Without a clipboard, as on plain http, there is no button. */
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

/** A text to copy, below its heading. */
export const snippet = ({
  id,
  heading,
  name,
  text,
}: {
  id: string;
  heading: Markup;
  /** What the button copies, for screen readers. */
  name: string;
  text: string;
}): Markup => html`<div class="bar copy" data-target="${id}" data-name="${name}">${heading}</div>
<pre id="${id}" tabindex="0">${text}</pre>`;
