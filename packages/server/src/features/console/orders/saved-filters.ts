import { queryText } from '../parts.ts';
import { type FilterQuery, filterQuery } from './filter.ts';

/** Filter with the name that a visitor gave it. */
export interface SavedFilter {
  name: string;
  query: FilterQuery;
}

/** The cookie with a visitor's filters, which works without JavaScript. */
export const filterCookie = 'topup-filters';

/** Limits with which any saved filters fit into a cookie. */
const [most, maxName, maxCookie] = [8, 30, 3_500];

const yearSeconds = 365 * 24 * 60 * 60;

/** Reads the filters of the cookie; ignores unreadable filters. */
export const readSaved = (cookie: string | undefined): SavedFilter[] =>
  [...new URLSearchParams(cookie)].slice(0, most).map(([name, query]) => ({
    name: name.slice(0, maxName),
    query: filterQuery(Object.fromEntries(new URLSearchParams(query))),
  }));

/** Adds a filter, which replaces a filter with the same name. Drops the oldest filters if there is no room. */
export function withFilter(saved: readonly SavedFilter[], { name, query }: SavedFilter): SavedFilter[] {
  const added = { name: name.trim().slice(0, maxName), query };
  return [...withoutFilter(saved, added.name), added].slice(-most);
}

export const withoutFilter = (saved: readonly SavedFilter[], name: string): SavedFilter[] =>
  saved.filter((filter) => filter.name !== name);

/** Returns the header that saves filters for the console's paths. They may contain a phone number, so over TLS the cookie requires TLS. */
export function savedHeader(saved: readonly SavedFilter[], url: string): string {
  const values = saved.map(({ name, query }) => [name, queryText(query).slice(1)]);
  const text = encodeURIComponent(new URLSearchParams(values).toString());
  if (text.length > maxCookie) return savedHeader(saved.slice(1), url);
  const { pathname, protocol } = new URL(url);
  const secure = protocol === 'https:' ? '; Secure' : '';
  return `${filterCookie}=${text}; Path=${pathname}; Max-Age=${yearSeconds}; HttpOnly; SameSite=Strict${secure}`;
}
