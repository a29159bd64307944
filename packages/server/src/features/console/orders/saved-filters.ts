import { queryText } from '../parts.ts';
import { type FilterQuery, filterQuery } from './filter.ts';

/** A filter that a visitor gave a name. */
export interface SavedFilter {
  name: string;
  query: FilterQuery;
}

/** The cookie that keeps a visitor's filters: nobody else has them, and they work without script. */
export const filterCookie = 'topup-filters';

/** As many as a cookie holds, whatever is in them. */
const [most, maxName, maxCookie] = [8, 30, 3_500];

const yearSeconds = 365 * 24 * 60 * 60;

/** Reads the filters of the cookie; what is not readable is left out. */
export const readSaved = (cookie: string | undefined): SavedFilter[] =>
  [...new URLSearchParams(cookie)].slice(0, most).map(([name, query]) => ({
    name: name.slice(0, maxName),
    query: filterQuery(Object.fromEntries(new URLSearchParams(query))),
  }));

/** The filters with one more, which replaces the one of its name, and without the oldest that have no room. */
export function withFilter(saved: readonly SavedFilter[], { name, query }: SavedFilter): SavedFilter[] {
  const added = { name: name.trim().slice(0, maxName), query };
  return [...withoutFilter(saved, added.name), added].slice(-most);
}

export const withoutFilter = (saved: readonly SavedFilter[], name: string): SavedFilter[] =>
  saved.filter((one) => one.name !== name);

/** The header that keeps the filters below the console's URL; they may hold a customer's number, so over TLS they are sent over TLS only. */
export function savedHeader(saved: readonly SavedFilter[], url: string): string {
  const values = saved.map(({ name, query }) => [name, queryText(query).slice(1)]);
  const text = encodeURIComponent(new URLSearchParams(values).toString());
  if (text.length > maxCookie) return savedHeader(saved.slice(1), url);
  const { pathname, protocol } = new URL(url);
  const secure = protocol === 'https:' ? '; Secure' : '';
  return `${filterCookie}=${text}; Path=${pathname}; Max-Age=${yearSeconds}; HttpOnly; SameSite=Strict${secure}`;
}
