import { headers, type Locale, type Localised } from '../contract/index.ts';
import type { CallbackSource, Callbacks } from '../engine/index.ts';
import { DomainErrorWithHeaders } from './errors.ts';
import { jsonResponse, languageHeaders, readBody, renderedResponse, type Site, toResponse } from './http.ts';

/** The path of each kind of provider, as live services have them (open points: routes). */
const paths = {
  gateway: '/callback/:provider',
  supplier: '/:provider/webhook',
} as const satisfies Record<CallbackSource, string>;
const sources = ['gateway', 'supplier'] as const satisfies readonly CallbackSource[];

const wrongAddress: Localised = {
  id: 'Alamat ini tidak boleh mengirim callback.',
  en: 'This address may not send callbacks.',
};

const forbidden = (locale: Locale): Response =>
  toResponse(
    jsonResponse(
      403,
      { success: false, message: wrongAddress[locale], error_code: 'FORBIDDEN', errors: {} },
      { ...languageHeaders(locale), [headers.errorCode]: 'FORBIDDEN' },
    ),
  );

/**
 * Mounts `POST /callback/{gateway}` and `POST /{supplier}/webhook` at the root, for the providers that send callbacks. They
 * need no key: the adapter verifies each request by the bytes of its body, and shapes the response.
 *
 * @param mayCall whether requests from an address are handled at all
 */
export function mountCallbacks(
  site: Site,
  {
    callbacks,
    maxBodyBytes,
    mayCall,
  }: { callbacks: Callbacks; maxBodyBytes: number; mayCall: (address: string) => boolean },
): void {
  for (const source of sources)
    site.all(paths[source], async ({ req, env }, next) => {
      const provider = req.param('provider');
      if (!callbacks.has(source, provider)) return next();
      const { method } = req;
      if (method !== 'POST')
        throw new DomainErrorWithHeaders('METHOD_NOT_ALLOWED', { Allow: 'POST' }, { params: { method } });
      const { address } = env.connection;
      if (!mayCall(address)) {
        await callbacks.turnAway(source, provider, address);
        return forbidden(env.locale);
      }
      const body = await readBody(req.raw, maxBodyBytes);
      const request = { headers: req.header(), body };
      const response = await callbacks.receive(source, provider, request, address);
      return response ? toResponse(renderedResponse(response.status, JSON.stringify(response.body))) : next();
    });
}
