import { parse } from 'hono/utils/cookie';

const name = 'topup_world';

/** The cookie by which the console shows the world of a test key. */
export const worldCookie = (key: string): string =>
  `${name}=${encodeURIComponent(key)}; Path=/; HttpOnly; SameSite=Strict`;

/** The key of the world that a console shows; null for the first one. */
export const worldOfCookie = (cookies: string | null): string | null =>
  (cookies === null ? undefined : parse(cookies, name)[name]) ?? null;
