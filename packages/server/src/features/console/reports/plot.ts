import { html, type Markup } from '../../../pages/html.ts';

/** One bar; amounts are integers in the smallest unit. */
export interface Bar {
  /** The label below the bar. */
  label: string;
  /** Amount; null if the bar is in the future. */
  amount: number | null;
  /** Amount in the previous period. */
  before: number;
  /** The tooltip. */
  title: string;
}

/** Edges of the area for the amounts: vertical in pixels, so that texts keep their size, and horizontal in percent. */
const [top, bottom] = [16, 220];

/** Returns a round step, of which three exceed an amount. */
export function stepOf(highest: number): number {
  const least = Math.max(1, highest / 3);
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 1.5, 2, 2.5, 3, 4, 5, 7.5].find((factor) => factor * power >= least) ?? 10);
}

/** Renders bars with an axis, and a line for the previous period. The last bar with an amount is unfinished. */
export function barChart(
  bars: readonly Bar[],
  {
    short,
    text,
    every,
  }: { /** A label of the axis. */ short: (amount: number) => string; text: string; every: number },
): Markup {
  const highest = Math.max(0, ...bars.map(({ amount, before }) => Math.max(amount ?? 0, before)));
  const step = stepOf(highest);
  const down = (amount: number): number =>
    Math.round(bottom - (Math.max(amount, 0) / (3 * step)) * (bottom - top));
  const width = 100 / bars.length;
  const at = (index: number): string => `${(index * width).toFixed(2)}%`;
  const current = bars.findLastIndex(({ amount }) => amount !== null);
  const largest = bars.reduce(
    (best, { amount }, index) => ((amount ?? 0) > (bars[best]?.amount ?? 0) ? index : best),
    0,
  );
  const line = bars
    .map(({ before }, index) => `${index + 0.5},${1_200 - (Math.max(before, 0) / (3 * step)) * 1_200}`)
    .join(' ');
  return html`<svg class="chart" role="img" aria-label="${text}">
${[0, 1, 2, 3].map((times) => html`<line x1="0" x2="100%" y1="${down(times * step)}" y2="${down(times * step)}"/><text class="y" x="-8" y="${down(times * step) + 4}">${short(times * step)}</text>`)}
${bars.map(({ amount, title }, index) => {
  const y = down(amount ?? 0);
  const bar =
    y < bottom
      ? html`<rect${index === current ? html` class="now"` : ''} x="${((index + 0.16) * width).toFixed(2)}%" width="${(width * 0.68).toFixed(2)}%" y="${y}" height="${bottom - y}" rx="2"/>`
      : '';
  return html`<g><title>${title}</title>${bar}<rect class="hit" x="${at(index)}" width="${width.toFixed(2)}%" y="${top}" height="${bottom - top}"/></g>`;
})}
<svg x="0" y="${top}" width="100%" height="${bottom - top}" viewBox="0 0 ${bars.length} 1200" preserveAspectRatio="none"><polyline class="halo" points="${line}"/><polyline points="${line}"/></svg>
${(bars[largest]?.amount ?? 0) > 0 ? html`<text class="value" x="${((largest + 0.5) * width).toFixed(2)}%" y="${down(bars[largest]?.amount ?? 0) - 6}">${short(bars[largest]?.amount ?? 0)}</text>` : ''}
${bars.map(({ label }, index) => (index % every === 0 ? html`<text${index % (2 * every) === 0 ? '' : html` class="mid"`} x="${((index + 0.5) * width).toFixed(2)}%" y="236">${label}</text>` : ''))}
</svg>`;
}
