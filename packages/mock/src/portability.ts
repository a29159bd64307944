import { headers, type Route, routes } from '@topup-kit/core/contract';
import type { Call } from './calls.ts';

/** An extension that calls made use of: something that the interface document doesn't promise. */
export interface PortabilityFinding {
  /**
   * `route`: one besides the two that the interface specifies. `accept`: a missing `Accept: application/json`.
   * `alias`: `messenger_number` in place of `whatsapp`. `header sent`, `header answered`: one the interface lacks.
   */
  readonly kind: 'route' | 'accept' | 'alias' | 'header sent' | 'header answered';
  /** `GET /games/{slug}`, `Idempotency-Key` and the like. */
  readonly name: string;
  /**
   * `needed`: where it is missing, the call fails. `ignored`: it may be missing; whether the app can do without
   * can't be seen from here.
   */
  readonly elsewhere: 'needed' | 'ignored';
  /** In how many calls. */
  readonly calls: number;
}

/** What an app relied on that another service may not have. */
export interface PortabilityReport {
  /** Whether nothing was needed that the interface document doesn't promise. */
  readonly portable: boolean;
  /** How many calls the report is about. */
  readonly calls: number;
  /** What is needed first, then by how often. */
  readonly findings: readonly PortabilityFinding[];
}

/** Records what calls rely on. */
export interface UsageLog {
  note(call: Call, request: Request, response: Response, body: unknown): void;
  report(): PortabilityReport;
}

type Kind = PortabilityFinding['kind'];

const needed: ReadonlySet<Kind> = new Set(['route', 'accept', 'alias'] satisfies Kind[]);

/** The headers beyond the interface that a response may have. The request id is left out: every response has one. */
const responseHeaders = [headers.errorCode, headers.idempotencyReplayed, headers.retryAfter];

const namesJson = /[/+]json\b/i;

const usesAlias = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'messenger_number' in body && !('whatsapp' in body);

export function createUsageLog(): UsageLog {
  const counts = new Map<string, { kind: Kind; name: string; calls: number }>();
  let calls = 0;

  function add(kind: Kind, name: string): void {
    const key = `${kind} ${name}`;
    const known = counts.get(key);
    if (known) known.calls += 1;
    else counts.set(key, { kind, name, calls: 1 });
  }

  return {
    note({ operation }, request, response, body) {
      calls += 1;
      if (operation !== null && operation !== 'listGames' && operation !== 'createOrder') {
        const { method, path }: Route = routes[operation];
        add('route', `${method} ${path}`);
      }
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
        (one): PortabilityFinding => ({ ...one, elsewhere: needed.has(one.kind) ? 'needed' : 'ignored' }),
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
