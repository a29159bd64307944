import { html } from 'hono/html';
import type { Markup } from './html.ts';

/** Shows only the operations and objects that contain every word of the search, on the page and in its contents. */
export const searchScript = `
const search = document.querySelector('.search');
const searchField = search.querySelector('input');
search.hidden = false;
const contents = new Map([...document.querySelectorAll('nav a')].map((link) => [link.hash, link.closest('li')]));
const groups = [...document.querySelectorAll('.group')].map((group) => ({
  parts: [group, document.querySelector('[data-group="' + group.id + '"]')],
  entries: [...group.querySelectorAll('.card')].map((card) => ({
    parts: [card, contents.get('#' + card.id)],
    text: card.textContent.toLowerCase(),
  })),
}));
const setHidden = (parts, hidden) => { for (const part of parts) part.hidden = hidden; };

function filter() {
  const wanted = searchField.value.trim().toLowerCase();
  const words = wanted.split(/\\s+/);
  document.querySelector('.intro').hidden = wanted !== '';
  let count = 0;
  for (const { parts, entries } of groups) {
    let found = 0;
    for (const { parts, text } of entries) {
      const matches = words.every((word) => text.includes(word));
      setHidden(parts, !matches);
      if (matches) found += 1;
    }
    setHidden(parts, found === 0);
    count += found;
  }
  search.querySelector('output').textContent = wanted === '' ? '' : count === 0 ? 'Nothing found' : count + ' found';
}

searchField.addEventListener('input', filter);
addEventListener('hashchange', () => {
  const target = document.getElementById(location.hash.slice(1));
  if (!target?.closest('[hidden]')) return;
  searchField.value = '';
  filter();
  target.scrollIntoView();
});
// Browsers keep what was searched for when the page is loaded again.
filter();
`;

/** The search field. It is hidden without the script. */
export const searchForm: Markup = html`<search class="search" hidden>
<label>Search <input type="search" placeholder="PROMO_EXPIRED, qr_url, 422…" autocomplete="off" spellcheck="false"></label>
<output></output>
</search>`;
