import {
  type AppSettings,
  type Connection,
  clientCode,
  ownPaths,
  type RequestContext,
} from '@topup-kit/core/app';
import { type Locale, sandboxKey, headers as wireHeaders } from '@topup-kit/core/contract';
import { isLocalName } from '@topup-kit/core/http';
import { createOpenApi } from '@topup-kit/core/openapi';
import { rootPageStyle } from './developer-style.ts';
import { copyScript, html, htmlHeaders, inlineSource, type Markup, raw, snippet } from './html.ts';

const headers = {
  ...htmlHeaders([
    `style-src ${inlineSource(rootPageStyle)}`,
    `script-src ${inlineSource(copyScript)}`,
    "form-action 'none'",
  ]),
  Vary: 'Accept',
};

interface Snippet {
  id: string;
  title: string;
  /** Name of the copied text, for screen readers. */
  name: string;
  text: string;
}

/** Parts of the server that a visitor of the page can use. */
interface Access {
  /** URL of the console; null if the server has no console, or the visitor can't reach it. */
  consoleUrl: string | null;
  /** URL that reaches the server from the visitor's machine. */
  baseUrl: string;
  /** True if the well-known key works from there. */
  wellKnownKey: boolean;
}

/** Returns the first steps with a sandbox. A test runs each of them. */
const snippetsFor = ({ baseUrl, wellKnownKey }: Access): Snippet[] => [
  {
    id: 'curl',
    title: 'curl',
    name: 'the command',
    text: `curl -H ${wellKnownKey ? `'${wireHeaders.apiKey}: ${sandboxKey}'` : `"${wireHeaders.apiKey}: $TOPUP_API_KEY"`} \\
  ${baseUrl}/games`,
  },
  {
    id: 'sdk',
    title: 'SDK',
    name: 'the SDK example',
    text: `${clientCode({ baseUrl, mode: wellKnownKey ? 'sandbox' : 'live' })}
const { games } = await topup.games.list();
console.log(games.map((game) => game.title));`,
  },
  {
    id: 'mock',
    title: 'Mock: the same service in your tests, without a server',
    name: 'the mock example',
    text: `import { createMockService } from '@topup-kit/mock/in-process';
import { createTopupClient } from '@topup-kit/sdk';

const mock = createMockService();
const { baseUrl, apiKey, fetch } = mock;
const topup = createTopupClient({ baseUrl, apiKey, fetch });
const { games } = await topup.games.list();
console.log(games.map((game) => game.title));`,
  },
];

const snippetSection = ({ title, ...shown }: Snippet): Markup =>
  html`<section>${snippet({ ...shown, heading: html`<h2>${title}</h2>` })}</section>`;

const wellKnownKeySection = html`<section>
${snippet({ id: 'key', heading: html`<h2>Key</h2>`, name: 'the key', text: sandboxKey })}
<p>This well-known key works from this machine only. For other machines set <code>TOPUP_API_KEY</code>, or create a key with <code>topup keys create</code>.</p>
</section>`;

const ownKeySection = html`<section>
<div class="bar"><h2>Key</h2></div>
<p>The well-known sandbox key does not work from where you are, only from the machine or container of the server. Use the key that the server has in <code>TOPUP_API_KEY</code>, or one of <code>topup keys create</code>, and set it as <code>TOPUP_API_KEY</code> here, too.</p>
</section>`;

const sandboxSections = (
  access: Access,
): Markup => html`${access.wellKnownKey ? wellKnownKeySection : ownKeySection}
${snippetsFor(access).map(snippetSection)}`;

async function render(settings: AppSettings, access: Access): Promise<string> {
  const { baseUrl } = access;
  const { info } = createOpenApi({ serverUrl: baseUrl, limits: settings.limits });
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Topup Kit server</title>
<style>${raw(rootPageStyle)}</style>
</head>
<body>
<main>
<div class="bar"><h1>Topup Kit server</h1><span class="mode">sandbox</span></div>
<p>A sandbox: no real money, and nothing is delivered.</p>
${access.consoleUrl === null ? '' : html`<p><a class="door" href="${access.consoleUrl}">Open the console</a></p>`}
<section>
<dl>
<dt>Base URL</dt><dd><code>${baseUrl}</code></dd>
<dt>Version</dt><dd>${info.version}</dd>
<dt>API</dt><dd><a href="docs">Documentation</a>, <a href="openapi.json">openapi.json</a></dd>
<dt>State</dt><dd><a href="health">health</a></dd>
</dl>
</section>
${sandboxSections(access)}
</main>
<script type="module">${raw(copyScript)}</script>
</body>
</html>`;
  return String(page);
}

/** Tells whether a request is for a page. A client that accepts anything, such as curl, gets JSON. */
const wantsHtml = (accept: string | null): boolean => /\btext\/html\b/i.test(accept ?? '');

/** URL of the console, and whether operators can log in there; without logins, only direct requests have access. */
export interface ConsoleDoor {
  url: string;
  takesLogins: boolean;
}

/** Returns the parts of the server that the sender of a request can use. Loopback addresses are only for senders on this machine. */
function accessOf(
  { headers }: Request,
  connection: Connection,
  { publicUrl, basePath }: AppSettings,
  console: ConsoleDoor | null,
): Access {
  const wellKnownKey = connection.direct;
  const isPublic = !isLocalName(new URL(publicUrl).hostname);
  const host = headers.get('Host');
  const reached = wellKnownKey || isPublic || host === null ? publicUrl : `http://${host}`;
  const isOpen = console !== null && (connection.direct || console.takesLogins);
  return { baseUrl: reached + basePath, wellKnownKey, consoleUrl: isOpen ? console.url : null };
}

/** Returns the response for programs at `/`: the server's addresses, and links to further information. */
const summary = (
  { basePath }: AppSettings,
  mode: 'live' | 'sandbox',
  { baseUrl, consoleUrl }: Access,
): Response => {
  const root = baseUrl.slice(0, baseUrl.length - basePath.length);
  return Response.json(
    {
      name: 'Topup Kit server',
      mode,
      base_url: baseUrl,
      docs: root + ownPaths.docs,
      openapi: root + ownPaths.openApi,
      ...(consoleUrl !== null && { console: consoleUrl }),
    },
    { headers: { 'Cache-Control': 'no-store', Vary: 'Accept', 'X-Content-Type-Options': 'nosniff' } },
  );
};

/**
 * Serves `/`. Programs get a few lines of JSON. Browsers get the front of a live shop, or instructions for a sandbox that work from the
 * visitor's machine.
 *
 * @param front renders the front of a live shop; undefined in a sandbox
 */
export const createRootPage =
  (settings: AppSettings, console: ConsoleDoor | null, front?: (locale: Locale) => Promise<Response>) =>
  async (request: Request, { connection, locale }: Pick<RequestContext, 'connection' | 'locale'>) => {
    const access = accessOf(request, connection, settings, console);
    if (!wantsHtml(request.headers.get('Accept')))
      return summary(settings, front ? 'live' : 'sandbox', access);
    return front ? front(locale) : new Response(await render(settings, access), { headers });
  };
