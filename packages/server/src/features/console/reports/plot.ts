import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';

const [width, height] = [480, 96];

/** Bars of the hours of a day, today's before yesterday's, with the highest amount as the height of the plot. */
export function hoursPlot({
  today,
  yesterday,
  label,
}: {
  today: readonly number[];
  yesterday: readonly number[];
  /** What it shows, in words and with its sums, for those who don't see it. */
  label: string;
}): Markup {
  const highest = Math.max(1, ...today, ...yesterday);
  const hours = Math.max(24, yesterday.length);
  const step = width / hours;
  const bar = (kind: string, amount: number, hour: number, inset: number): Markup | '' => {
    const tall = Math.round((Math.max(amount, 0) / highest) * height);
    return tall === 0
      ? ''
      : html`<rect class="${kind}" x="${(hour * step + inset).toFixed(1)}" y="${height - tall}" width="${(step / 2 - 1).toFixed(1)}" height="${tall}" rx="1.5"/>`;
  };
  return html`<svg class="plot" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">
${yesterday.map((amount, hour) => bar('before', amount, hour, 1))}${today.map((amount, hour) => bar('now', amount, hour, step / 2))}
</svg><div class="hours" aria-hidden="true">${['00', '06', '12', '18'].map((hour) => html`<span>${hour}</span>`)}</div>`;
}

/** A share from 0 to 1 as a bar; the text beside it says the same. */
export const shareBar = (share: number): Markup =>
  html`<svg class="share" viewBox="0 0 60 6" aria-hidden="true"><rect class="before" width="60" height="6" rx="3"/><rect class="now" width="${(60 * share).toFixed(1)}" height="6" rx="3"/></svg>`;
