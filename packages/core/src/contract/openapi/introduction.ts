import type { OpenApiLimits } from './limits.ts';

const perMinute = (limit: number): string => (limit === 0 ? 'without a limit' : `${limit} a minute`);

/** What holds for every operation, in Markdown of paragraphs and `code` alone. */
export const introduction = (limits: OpenApiLimits): string =>
  [
    'Bodies are JSON; send `Accept: application/json` and, below the server address, a key in `X-API-KEY`.',
    'Amounts are integers in the smallest unit of the currency. Times are ISO 8601 with a UTC offset, or unix seconds where a field says so.',
    'Errors have one of the four bodies of interface 7.1. Every error of this service says its code in `X-Error-Code` (an extension); messages are for people, in Indonesian or English, and clients must never parse them.',
    'Everything carries its source as `x-topup-source`: `interface` and a section is what any such service promises; `live` is what the live services are known to do; `laravel` is the wording of their framework; `ours` is the reading that this kit gives to what is not said.',
    `Limits of this server: a body of ${limits.bodyBytes} bytes, reads ${perMinute(limits.readsPerMinute)}, orders ${perMinute(limits.ordersPerMinute)}, for each key and address.`,
  ].join('\n\n');
