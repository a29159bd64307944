import { formatMoney, fractionDigits, type Locale } from '@topup-kit/core/contract';
import { type AlertSource, localMoment, zonedTime } from '@topup-kit/core/engine';
import type { ServerConfig } from '../../config/config.ts';
import { html, type Markup } from '../../pages/html.ts';
import type { SiteHost } from '../../service/site.ts';
import type { Visitor } from './access.ts';
import { sharedTexts } from './texts.ts';

/**
 * Caches a store's reads for one page, because the page's parts and its frame need the same data. The function that reads the revision
 * stays the same, because other caches use it as a key.
 */
function readOnce(store: AlertSource): AlertSource {
  const known = new Map<string, unknown>();
  return new Proxy(store, {
    get: (_, name) => {
      const read: unknown = Reflect.get(store, name);
      if (typeof read !== 'function' || name === 'revision') return read;
      return (...given: unknown[]): unknown => {
        const key = `${String(name)} ${JSON.stringify(given)}`;
        if (!known.has(key)) known.set(key, Reflect.apply(read, store, given));
        return known.get(key);
      };
    },
  });
}

/** The parts of the server that the console's pages use. */
export interface ConsoleDependencies extends Omit<SiteHost, 'config' | 'logger' | 'count'> {
  /** Encrypts an endpoint's secret for the store. */
  seal: (secret: string, endpointId: string) => string;
  storeKind: ServerConfig['store']['kind'];
  /** Flag with which a command opens this store from any folder, such as ` --store file:/srv/topup.db`; empty for a database. */
  storeFlag: string;
  /** Makes a backup next to the store; null for a store that is not a file. */
  backUp: (() => Promise<{ file: string; bytes: number }>) | null;
  /** Logs an operator's action, because some actions have no history. */
  logAction: (done: {
    operator: string;
    action: string;
    about: Readonly<Record<string, string>>;
    note: string;
  }) => void;
}

type TextTable = Readonly<Record<string, Readonly<Record<Locale, unknown>>>>;
type Words<Texts extends TextTable> = { [Name in keyof Texts]: Texts[Name][Locale] };

/** A page's visitor, and the formats for this visitor. */
export interface View {
  visitor: Visitor;
  locale: Locale;
  mode: 'live' | 'sandbox';
  /** World time in unix milliseconds. */
  now: number;
  /** Source of the alerts and of other open work, read once for the page. */
  open: AlertSource;
  /** The page's path and query below the console's path: `/orders?state=PAID`. */
  here: string;
  /** Returns the address of a console page from its path below the console's path. */
  link: (path: string) => string;
  /** Returns the text in the visitor's language. */
  text: <Text>(texts: Readonly<Record<Locale, Text>>) => Text;
  /** Returns a table of texts in the visitor's language, with the words that pages share. */
  words: <Texts extends TextTable>(texts: Texts) => Words<typeof sharedTexts> & Words<Texts>;
  /** Formats an amount in the smallest unit: `Rp 50.000`. */
  money: (amount: number) => string;
  number: (value: number) => string;
  /** Formats a share from 0 to 1: `98.4 %`. */
  percent: (share: number) => string;
  /** Formats a moment in unix milliseconds: its day unless it is today, its year unless it is this year, and the exact time on hover. */
  time: (moment: number) => Markup;
  /** Formats a moment of today without seconds: `14:20`. */
  clock: (moment: number) => Markup;
  /** Formats the day of a moment, with its year unless it is this year: `29 Mar`. */
  day: (moment: number) => string;
  /** Formats a duration in milliseconds, in at most two units: `3 d 4 h`, `25 min`. */
  duration: (ms: number, most?: number) => string;
  /** Formats an amount briefly, for the axis of a chart: `1.2M`. */
  compact: (amount: number) => string;
  /** Formats a moment in full: `2026-03-29T10:00:00+07:00`. */
  exactTime: (moment: number) => string;
  /** Returns the start of a moment's day in the shop's time zone. */
  dayStart: (moment: number) => number;
}

const units = { id: ['hari', 'jam', 'menit'], en: ['d', 'h', 'min'] } as const;

function duration(ms: number, most: number, [day, hour, minute]: (typeof units)[Locale]): string {
  const minutes = Math.round(ms / 60_000);
  const parts: [number, string][] = [
    [Math.floor(minutes / 1_440), day],
    [Math.floor((minutes % 1_440) / 60), hour],
    [minutes % 60, minute],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  const shown = first < 0 ? [] : parts.slice(first, first + most).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ') || `0 ${minute}`;
}

export function createViews({ settings, sandbox, store, now: worldClock, url }: ConsoleDependencies) {
  const { timezone, currency } = settings;
  const base = new URL(url).pathname;
  const digits = fractionDigits(currency);
  const localTime = zonedTime(timezone);
  const day = (moment: number): string => localTime(moment).iso.slice(0, 10);
  function makeFormats(locale: Locale) {
    const day = { day: 'numeric', month: 'short' } as const;
    const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
      new Intl.DateTimeFormat(locale, { timeZone: timezone, hourCycle: 'h23', ...options });
    return {
      clock: format({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
      date: format({ ...day, hour: '2-digit', minute: '2-digit' }),
      dateOfYear: format({ ...day, year: 'numeric', hour: '2-digit', minute: '2-digit' }),
      onlyDay: format(day),
      onlyDayOfYear: format({ ...day, year: 'numeric' }),
      numbers: new Intl.NumberFormat(locale),
      compacts: new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }),
      percents: new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }),
    };
  }
  // Formats are expensive to create, and each tab checks for changes every two seconds.
  const known = new Map<Locale, ReturnType<typeof makeFormats>>();
  return ({ visitor, locale, here }: Pick<View, 'visitor' | 'locale' | 'here'>): View => {
    const now = worldClock();
    const formats = known.get(locale) ?? makeFormats(locale);
    known.set(locale, formats);
    const { clock, date, dateOfYear, onlyDay, onlyDayOfYear, numbers, compacts, percents } = formats;
    const today = day(now);
    const isThisYear = (moment: number): boolean => day(moment).slice(0, 4) === today.slice(0, 4);
    return {
      visitor,
      locale,
      here,
      now,
      open: readOnce(store),
      mode: sandbox ? 'sandbox' : 'live',
      link: (path) => base + path,
      text: (texts) => texts[locale],
      words: <Texts extends TextTable>(texts: Texts) =>
        // Safe: the result has the names of both tables' entries.
        Object.fromEntries(
          Object.entries({ ...sharedTexts, ...texts }).map(([name, text]) => [name, text[locale]]),
        ) as Words<typeof sharedTexts> & Words<Texts>,
      money: (amount) => formatMoney(amount, currency, locale),
      number: (value) => numbers.format(value),
      percent: (share) => percents.format(share),
      time(moment) {
        const { iso } = localTime(moment);
        const format =
          iso.slice(0, 10) === today ? clock : iso.slice(0, 4) === today.slice(0, 4) ? date : dateOfYear;
        return html`<time datetime="${iso}" title="${iso}">${format.format(moment)}</time>`;
      },
      clock(moment) {
        const { iso } = localTime(moment);
        return html`<time datetime="${iso}" title="${iso}">${iso.slice(11, 16)}</time>`;
      },
      day: (moment) => (isThisYear(moment) ? onlyDay : onlyDayOfYear).format(moment),
      duration: (ms, most = 2) => duration(ms, most, units[locale]),
      compact: (amount) => compacts.format(amount / 10 ** digits),
      exactTime: (moment) => localTime(moment).iso,
      dayStart: (moment) => localMoment(timezone, `${day(moment)}T00:00`),
    };
  };
}
