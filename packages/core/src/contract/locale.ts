/** A language of messages: Indonesian, like live services, or English. */
export type Locale = 'id' | 'en';
export const locales = ['id', 'en'] as const satisfies readonly Locale[];
export type Localised = Record<Locale, string>;

/** Former language codes. Old Java programs still send `in` for Indonesian. */
const aliases: ReadonlyMap<string, string> = new Map(Object.entries<string>({ in: 'id' }));

interface Range {
  language: string;
  quality: number;
}

function readRange(text: string): Range {
  const [tag = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const [primary = ''] = tag.split('-');
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { language: aliases.get(primary) ?? primary, quality: quality === undefined ? 1 : Number(quality) };
}

const isLocale = (text: string): text is Locale => locales.some((locale) => locale === text);

/**
 * Chooses a request's language by its `Accept-Language` header (RFC 9110, 12.5.4). Without a valid header or a supported language, the
 * service's own language is used.
 *
 * @example
 * chooseLocale('en-US,en;q=0.9,id;q=0.8', 'id'); // 'en'
 */
export function chooseLocale(acceptLanguage: string | null | undefined, own: Locale): Locale {
  // A very long header can't be a list of languages.
  if (!acceptLanguage || acceptLanguage.length > 1_000) return own;
  const wanted = acceptLanguage
    .split(',')
    .map(readRange)
    .filter(({ quality }) => quality > 0 && quality <= 1)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ language }) => (language === '*' ? own : language));
  return wanted.find(isLocale) ?? own;
}
