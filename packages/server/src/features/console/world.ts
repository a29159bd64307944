import { worldCookieName as name } from '@topup-kit/core/contract';
import { parse } from 'hono/utils/cookie';

/** Creates the cookie with the console's world. */
export const worldCookie = (key: string): string =>
  `${name}=${encodeURIComponent(key)}; Path=/; HttpOnly; SameSite=Strict`;

/** Returns the world that a console shows; null for the first world. */
export const worldOfCookie = (cookies: string | null): string | null =>
  (cookies === null ? undefined : parse(cookies, name)[name]) ?? null;
