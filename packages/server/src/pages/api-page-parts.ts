import { html } from 'hono/html';

export type Markup = ReturnType<typeof html>;

/** Markup in pieces. */
export type Words = Markup | string | Words[];

/** The address of an object on the page. */
export const idOf = (component: string): string => `object-${component}`;

/** Text with `code` in it. */
export const prose = (text: string): Words[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));

/** Where something comes from. */
export const sourceMark = (source: string | undefined): Markup | string =>
  source === undefined ? '' : html`<span class="source">${source}</span>`;

/** One thing with a name, a type and a description. */
export const entry = (given: {
  name: string;
  type: Words;
  /** Whether it must be there, in words; empty when it need not. */
  needed: string;
  description: string;
  source: string | undefined;
}): Markup => html`<div>
<dt><code class="name">${given.name}</code> <span class="type">${given.type}${given.needed && `, ${given.needed}`}</span> ${sourceMark(given.source)}</dt>
<dd>${prose(given.description)}</dd>
</div>`;
