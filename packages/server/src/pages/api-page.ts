import type { AppSettings } from '@topup-kit/core/app';
import { createOpenApi } from '@topup-kit/core/openapi';
import { html, raw } from 'hono/html';
import { operationSection } from './api-page-operation.ts';
import { idOf, type Markup, prose } from './api-page-parts.ts';
import { schemaSection } from './api-page-schema.ts';
import { apiPageStyle, apiPageStyleSource } from './api-page-style.ts';

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; style-src ${apiPageStyleSource}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** The API page as HTML: everything that the document says, without a script. */
function render({ publicUrl, basePath, limits }: AppSettings): Promise<string> | Markup {
  const document = createOpenApi({ serverUrl: publicUrl + basePath, limits });
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const { ApiKey: key } = document.components.securitySchemes;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title}: API</title>
<style>${raw(apiPageStyle)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<h1>${document.info.title}</h1>
<p>${document.info.summary} Version ${document.info.version}, <a href="openapi.json">openapi.json</a>.</p>
<p>Server address <code>${publicUrl + basePath}</code></p>
</header>
<nav aria-label="Contents">
${groups.map(
  (group) => html`<h2>${group.name}</h2>
<ul>${group.operations.map(
    ({ path, method, operation }) =>
      html`<li><a href="#${operation.operationId}">${operation.summary}</a> <code>${method.toUpperCase()} ${path}</code></li>`,
  )}</ul>`,
)}
<h2>Objects</h2>
<ul class="objects">${Object.keys(document.components.schemas).map((name) => html`<li><a href="#${idOf(name)}">${name}</a></li>`)}</ul>
</nav>
<main id="content">
<section>
<h2>Before you start</h2>
${document.info.description.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
${key && html`<p>The key goes into the header <code>${key.name}</code>. ${prose(key.description)}</p>`}
</section>
${groups.map(
  (group) => html`<h2 class="group">${group.name}</h2>
<p>${prose(group.description)}</p>
${group.operations.map(({ path, method, operation }) => operationSection(operation, `${method.toUpperCase()} ${path}`, document.components.schemas))}`,
)}
<h2 class="group">Objects</h2>
${Object.entries(document.components.schemas).map(([name, schema]) => schemaSection(name, schema))}
</main>
</body>
</html>`;
}

/** Serves the API page of a deployment; it is written when first asked for. */
export function createApiPage(settings: AppSettings): () => Promise<Response> {
  let page: Promise<string> | undefined;
  return async () => {
    page ??= Promise.resolve(render(settings)).then(String);
    return new Response(await page, { headers });
  };
}
