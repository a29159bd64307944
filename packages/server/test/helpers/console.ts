import { writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { createConsoleLink } from '@topup-kit/core/engine';
import { secureRandom } from '@topup-kit/core/platform';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { openStore, readConfig, sha256Hex, startServer } from '../../src/internal.ts';
import { livePartsOn } from './live-parts.ts';
import { temporaryFolder } from './sandbox.ts';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

export interface Ask {
  method?: 'GET' | 'POST' | 'HEAD';
  cookie?: string;
  /** The fields of a form. */
  form?: Record<string, string>;
  headers?: Record<string, string>;
}

const decoded = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** The values of a page's hidden fields. */
export const hiddenFields = ({ text }: Answer): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']) => [name, decoded(value)],
    ),
  );

/** The text of a page, without its elements. */
export const wordsOf = ({ text }: Answer): string =>
  decoded(text.replace(/<[^>]+>/g, ' ')).replace(/\s+/g, ' ');

/** What a browser adds to a form that a page of the same origin sends. */
export const sameOrigin = { 'Sec-Fetch-Site': 'same-origin' };

/** Sends a request as it is: `fetch` has headers of its own, and resolves paths. */
export const ask = (url: string, { method = 'GET', cookie, form, headers = {} }: Ask = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const [origin = '', path = '/'] = /^(http:\/\/[^/]+)(.*)$/.exec(url)?.slice(1) ?? [];
    const { hostname, port } = new URL(origin);
    const body = form && new URLSearchParams(form).toString();
    const sent = httpRequest(
      {
        ...{ hostname, port, path, method, agent: false },
        headers: {
          ...(cookie !== undefined && { Cookie: cookie }),
          ...(body !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
            ),
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });

/** A live server with a console over a store file, on a clock that stands until it is moved; with what it logs. */
export async function startConsole(settings: Record<string, string> = {}) {
  await using started = new AsyncDisposableStack();
  const folder = started.use(await temporaryFolder());
  const path = join(folder.path, 'topup.db');
  const catalog = join(folder.path, 'catalog.json');
  await writeFile(catalog, JSON.stringify(sandboxCatalogFile));
  const clock = { now: Date.parse('2026-03-29T10:00:00+07:00') };
  const realClock = (): number => clock.now;
  const lines: string[] = [];
  const config = readConfig({
    ...{ TOPUP_STORE: `file:${path}`, TOPUP_CATALOG: catalog, TOPUP_LOG_LEVEL: 'debug', PORT: '0' },
    ...{ TOPUP_CONSOLE: 'act', TOPUP_LOCALE: 'en', TOPUP_LOG_FORMAT: 'json' },
    ...settings,
  });
  const parts = {
    ...livePartsOn(realClock),
    realClock,
    log: { write: (line: string) => void lines.push(line) },
  };
  const server = started.use(await startServer(config, parts));
  const store = openStore({ kind: 'file', path });
  started.defer(() => store.close());
  const at = config.consolePort === undefined ? `${server.localUrl}/console` : server.consoleUrl;

  /** The path of a new link, below the console's. */
  async function newLink(operator = 'Dewi'): Promise<string> {
    const deps = { store, hash: sha256Hex, random: secureRandom, realClock };
    return `/login/${(await createConsoleLink(deps, operator)).secret}`;
  }

  /** Logs an operator in, and returns the cookie of the session. */
  async function logIn(operator?: string): Promise<string> {
    const { headers } = await ask(at + (await newLink(operator)), { method: 'POST', headers: sameOrigin });
    return headers['set-cookie']?.split(';')[0] ?? '';
  }

  const all = started.move();
  return {
    ...{ server, store, path, clock, lines, newLink, logIn },
    /** Sends a request to a path below the console's. */
    ask: (below: string, sent?: Ask) => ask(at + below, sent),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
