import {
  type Dialect,
  kitDialect,
  type Locale,
  type Localised,
  type Operation,
  statusReplacer,
  withheldHeaders,
  writeEmptyFields,
} from '../contract/index.ts';
import { responseSchemas } from '../contract/schemas.ts';
import { languageHeaders, type PlainResponse } from './http.ts';
import type { OperationHandler } from './operation.ts';

const namesJson = /[/+]json\b/i;

const acceptRequired: Localised = {
  id: 'Header <code>Accept: application/json</code> wajib dikirim (interface 4).',
  en: 'The header <code>Accept: application/json</code> is required (interface 4).',
};

/**
 * Returns the error response if `Accept` excludes JSON; otherwise undefined. The status is 422, as for other missing parts of a request.
 * The body is HTML, because the interface promises JSON only with the header (4).
 */
export function missingAcceptResponse(accept: string | null, locale: Locale): PlainResponse | undefined {
  if (accept !== null && namesJson.test(accept)) return undefined;
  return {
    status: 422,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy':
        "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      ...languageHeaders(locale),
    },
    body: `<!doctype html><html lang="${locale}"><title>422</title><p>${acceptRequired[locale]}</p>\n`,
  };
}

/** Creates a function that removes the headers that a dialect doesn't send; undefined if the dialect sends all headers. */
export function headerFilter(dialect: Dialect): ((response: PlainResponse) => PlainResponse) | undefined {
  const withheld = withheldHeaders(dialect);
  if (withheld.length === 0) return undefined;
  const sentOnly = (headers: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !withheld.includes(name)));
  return ({ status, headers, own = {}, body }) => ({
    status,
    headers: sentOnly(headers),
    own: sentOnly(own),
    body,
  });
}

/** Returns the entries of a dialect that change success bodies, as a string for comparisons. */
const bodyEntries = ({ paymentStatuses, buyStatuses, emptyFields }: Dialect): string =>
  JSON.stringify([paymentStatuses, buyStatuses, emptyFields]);

/** Creates a function that translates an operation's success responses from this kit's dialect into another dialect. */
export function responseTranslator(
  dialect: Dialect,
): (operation: Operation, handle: OperationHandler) => OperationHandler {
  if (bodyEntries(dialect) === bodyEntries(kitDialect)) return (_operation, handle) => handle;
  const replacer = statusReplacer(dialect);
  return (operation, handle) => async (call) => {
    const response = await handle(call);
    if (typeof response.body !== 'string') return response;
    const body = writeEmptyFields(responseSchemas[operation], JSON.parse(response.body), dialect.emptyFields);
    return { ...response, body: JSON.stringify(body, replacer) };
  };
}
