import { type CallMetadata, TopupUsageError } from '../errors/index.ts';
import type { ClientOptions } from '../options.ts';
import { checkBaseUrl, inBrowser, isPath, variable, visibleAscii } from './check-options.ts';

/** The service of a call, and the key for it. */
export interface Target {
  /** Scheme, host and port. */
  origin: string;
  /** Without a trailing slash. */
  basePath: string;
  apiKey: string | undefined;
  /** Advice for the case that the service rejects the key. */
  keyAdvice: string;
}

/**
 * Checks `baseUrl` and `apiKey`. Returns a function if a value comes from the environment, which is read at each call: a variable that
 * replaces an option, or the page of a relative URL, because frameworks also load a page's modules on their server.
 */
export function createTarget(options: ClientOptions): Target | ((metadata: CallMetadata) => Target) {
  const { baseUrl, apiKey } = options;
  checkApiKey(apiKey);
  const onPage = baseUrl !== undefined && isPath(baseUrl);
  const fixed = baseUrl === undefined || onPage ? undefined : checkBaseUrl(baseUrl);
  const readsKey = !('apiKey' in options) && !onPage;
  const targetOf = (metadata?: CallMetadata): Target => {
    const { origin, pathname } =
      fixed ??
      checkBaseUrl(
        baseUrl ?? baseUrlOfEnvironment(metadata),
        metadata,
        baseUrl ? 'baseUrl' : 'TOPUP_BASE_URL',
      );
    const key = readsKey ? variable('TOPUP_API_KEY') : apiKey;
    if (readsKey) checkApiKey(key, 'TOPUP_API_KEY', metadata);
    return {
      origin,
      basePath: pathname.replace(/\/+$/, ''),
      apiKey: key,
      keyAdvice: key
        ? 'Check apiKey.'
        : 'apiKey' in options
          ? 'apiKey is undefined: its environment variable is not set.'
          : 'No key was sent: on your server, set TOPUP_API_KEY.',
    };
  };
  return fixed && !readsKey ? targetOf() : targetOf;
}

function baseUrlOfEnvironment(metadata?: CallMetadata): string {
  const baseUrl = variable('TOPUP_BASE_URL');
  if (baseUrl) return baseUrl;
  throw new TopupUsageError(
    'INVALID_BASE_URL',
    inBrowser()
      ? 'baseUrl is undefined. Set baseUrl to the path of @topup-kit/sdk/proxy on your server.'
      : 'Set baseUrl, or the environment variable TOPUP_BASE_URL.',
    metadata,
  );
}

function checkApiKey(apiKey: string | undefined, name = 'apiKey', metadata?: CallMetadata): void {
  if (apiKey === undefined) return;
  if (inBrowser() || globalThis.navigator?.product === 'ReactNative') {
    throw new TopupUsageError(
      'API_KEY_IN_BROWSER',
      'anyone can read apiKey in a browser or app. Set baseUrl to the path of @topup-kit/sdk/proxy on your server.',
    );
  }
  if (typeof apiKey === 'string' && visibleAscii.test(apiKey)) return;
  throw new TopupUsageError(
    'INVALID_API_KEY',
    `${name} ${apiKey === '' ? 'is empty: it must be' : 'must be'} visible ASCII characters without spaces and line breaks, or undefined.`,
    metadata,
  );
}
