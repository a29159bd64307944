import { headers, type Operation, operations, routes } from '@topup-kit/core/contract';
import type { Call } from './calls.ts';

/** An extension that calls used: something that the interface document doesn't promise. */
export interface PortabilityFinding {
  /**
   * `route`: a route other than the two that the interface specifies. `accept`: a missing `Accept: application/json`. `alias`:
   * `messenger_number` instead of `whatsapp`. `header sent`, `header answered`: a request or response header that is not in the interface.
   */
  readonly kind: 'route' | 'accept' | 'alias' | 'header sent' | 'header answered';
  /** The name, such as `GET /games/{slug}` or `Idempotency-Key`. */
  readonly name: string;
  /**
   * The effect on a service without the extension. `needed`: the call fails. `ignored`: the call works; the mock can't
   * know whether the app depends on the header.
   */
  readonly elsewhere: 'needed' | 'ignored';
  /** Number of calls that used the extension. */
  readonly calls: number;
}

/** The extensions that an app used, which another service may not have. */
export interface PortabilityReport {
  /** True if no finding is `needed`, so that the app works with any service that follows the interface document. */
  readonly portable: boolean;
  /** Number of calls in the report. */
  readonly calls: number;
  /** Findings: `needed` first, then by number of calls. */
  readonly findings: readonly PortabilityFinding[];
}

/** Records the extensions that calls use. */
export interface UsageLog {
  note(call: Call, request: Pick<Request, 'headers'>, response: Response, body: unknown): void;
  report(): PortabilityReport;
}

type Kind = PortabilityFinding['kind'];

const needed: ReadonlySet<Kind> = new Set(['route', 'accept', 'alias'] satisfies Kind[]);

const routeName = (operation: Operation): string => `${routes[operation].method} ${routes[operation].path}`;

/** Names of routes that the interface doesn't specify. */
const extensionRoutes = new Map<Operation, string>(
  operations
    .filter((operation) => operation !== 'listGames' && operation !== 'createOrder')
    .map((operation) => [operation, routeName(operation)]),
);

/** Response headers that are not in the interface; without the request id, which every response has. */
const responseHeaders = [
  headers.errorCode,
  headers.idempotencyReplayed,
  headers.idempotencyOrder,
  headers.retryAfter,
];

const namesJson = /[/+]json\b/i;

const usesAlias = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'messenger_number' in body && !('whatsapp' in body);

export function createUsageLog(): UsageLog {
  /** Counts by name, because every name has only one kind. */
  const counts = new Map<string, { kind: Kind; name: string; calls: number }>();
  let calls = 0;

  function add(kind: Kind, name: string): void {
    const known = counts.get(name);
    if (known) known.calls += 1;
    else counts.set(name, { kind, name, calls: 1 });
  }

  return {
    note({ operation }, request, response, body) {
      calls += 1;
      const route = operation && extensionRoutes.get(operation);
      if (route) add('route', route);
      const accept = request.headers.get('Accept') ?? '';
      if (accept !== 'application/json' && !namesJson.test(accept)) add('accept', 'Accept: application/json');
      if (usesAlias(body)) add('alias', 'messenger_number');
      if (operation === 'createOrder' && request.headers.has(headers.idempotencyKey))
        add('header sent', headers.idempotencyKey);
      if (response.ok && operation !== 'createOrder') return;
      for (const name of responseHeaders) if (response.headers.has(name)) add('header answered', name);
    },
    report() {
      const findings = [...counts.values()].map(
        (finding): PortabilityFinding => ({
          ...finding,
          elsewhere: needed.has(finding.kind) ? 'needed' : 'ignored',
        }),
      );
      return {
        portable: !findings.some(({ elsewhere }) => elsewhere === 'needed'),
        calls,
        findings: findings.sort(
          (a, b) =>
            Number(a.elsewhere === 'ignored') - Number(b.elsewhere === 'ignored') || b.calls - a.calls,
        ),
      };
    },
  };
}
