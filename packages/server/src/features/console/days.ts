import { localMoment } from '@topup-kit/core/engine';
import { html, type Markup } from '../../pages/html.ts';
import type { ConsoleDependencies, View } from './view.ts';

const texts = {
  from: { id: 'Dari', en: 'From' },
  to: { id: 'Sampai', en: 'To' },
};

/** Tells whether a string is an existing day, such as `2026-12-31`. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && shiftDay(text, 0) === text;

export const shiftDay = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** Returns the day of a moment in the shop's time zone. */
export const dayOf = (view: View, moment = view.now): string => view.exactTime(moment).slice(0, 10);

/** Returns the time from the start of one day to the end of another in the shop's time zone; undefined without days. */
export function spanOf(
  { settings: { timezone } }: Pick<ConsoleDependencies, 'settings'>,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Record<'from' | 'before', number | undefined> {
  const begin = (day: string): number => localMoment(timezone, `${day}T00:00`);
  return { from: from ? begin(from) : undefined, before: to ? begin(shiftDay(to, 1)) : undefined };
}

/** Renders form fields for the first and the last day of a list. */
export const dayFields = (view: View, days: { from?: string | undefined; to?: string | undefined }): Markup =>
  html`${(['from', 'to'] as const).map(
    (name) =>
      html`<label class="field"><span>${view.text(texts[name])}</span><input type="date" name="${name}" value="${days[name] ?? ''}"></label>`,
  )}`;
