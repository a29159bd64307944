import { type Dialect, kitDialect } from '@topup-kit/core/contract';
import { missingExtension, readInDialect } from './dialect.ts';
import { ConformanceFailure, ConformanceSkip, type RecordedRequest, type SpecReference } from './failure.ts';
import { type ConformanceFixture, sandboxFixture } from './fixture.ts';

export interface ProbedResponse {
  /** Method and path, for messages. */
  request: string;
  sent: RecordedRequest;
  status: number;
  headers: Headers;
  text: string;
  /** The parsed JSON, translated to this kit's dialect; undefined if the text is not JSON. */
  body: unknown;
  dialect: Dialect;
}

/** Headers to send; null removes a default header. */
export type SentHeaders = Record<string, string | null>;

/** The tools of a case: requests to its target, and the fixture. */
export interface Probe {
  fixture: ConformanceFixture;
  dialect: Dialect;
  apiKey: string;
  otherApiKey: string | undefined;
  /**
   * Sends a request with the common headers of the interface (4) and an unchanged body. If the request needs an extension that the
   * dialect lacks, the case is skipped.
   */
  send(
    method: string,
    path: string,
    options?: { body?: string; headers?: SentHeaders },
  ): Promise<ProbedResponse>;
  get(path: string, headers?: SentHeaders): Promise<ProbedResponse>;
  postTo(path: string, body: object, headers?: SentHeaders): Promise<ProbedResponse>;
  /** Posts a JSON body to `/order`. */
  post(body: object, headers?: SentHeaders): Promise<ProbedResponse>;
  /** Posts the fixture's order with changed fields; undefined removes a field. */
  order(changes?: object, headers?: SentHeaders): Promise<ProbedResponse>;
  /** Fetches a URL that a response contains, without a key. */
  open(url: string): Promise<Response>;
  /** Like `open`, but skips the case if the URL is on another host: only the service itself may be tested. */
  openOwn(url: string): Promise<Response>;
  /** Returns a part of the fixture; skips the case if it is missing. */
  need<Key extends keyof ConformanceFixture>(part: Key): NonNullable<ConformanceFixture[Key]>;
  /** Returns the controls of the sandbox; skips the case if there are none. */
  needSandbox(): SandboxControls;
  /** Notes an observation that is not a failure. */
  note(text: string): void;
}

const withoutNulls = (headers: SentHeaders): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));

/** Returns the request for a URL in a response, without a key. */
export const getOf = (url: string): RecordedRequest => ({ method: 'GET', url, headers: [] });

/** Creates a probe for one run of one case; its notes are added to `notes`. */
export function createProbe(
  { needs, cites }: { needs: 'reads' | 'writes'; cites: readonly SpecReference[] },
  target: ConformanceTarget,
  { signal, notes }: { signal: AbortSignal; notes: string[] },
): Probe {
  const { fixture = sandboxFixture, dialect = kitDialect } = target;
  const common = { Accept: 'application/json', 'X-API-KEY': target.apiKey };

  async function exchange(request: string, sent: RecordedRequest): Promise<Response> {
    const { url, method, headers, body } = sent;
    try {
      return await target.fetch(url, {
        method,
        headers: new Headers(headers.map(([name, value]): [string, string] => [name, value])),
        ...(body !== undefined && { body }),
        signal,
      });
    } catch (cause) {
      const [by = 'interface 4'] = cites;
      throw new ConformanceFailure({ request, expected: 'a response', received: String(cause), by }, sent);
    }
  }

  const probe: Probe = {
    fixture,
    dialect,
    apiKey: target.apiKey,
    otherApiKey: target.otherApiKey,
    async send(method, path, { body, headers = {} } = {}) {
      if (needs === 'reads' && method !== 'GET')
        throw new Error(`a case that needs only reads must not send ${method}`);
      const request = `${method} ${path}`;
      const lines = withoutNulls({ ...common, ...headers });
      const missing = missingExtension(dialect, { path, headers: new Headers(lines), body });
      if (missing !== undefined) throw new ConformanceSkip(missing);
      const sent = {
        method,
        url: target.baseUrl + path,
        headers: lines,
        ...(body !== undefined && { body }),
      };
      const response = await exchange(request, sent);
      const text = await response.text();
      const { status, headers: received } = response;
      return { request, sent, status, headers: received, text, body: readInDialect(text, dialect), dialect };
    },
    get: (path, headers = {}) => probe.send('GET', path, { headers }),
    postTo: (path, body, headers = {}) =>
      probe.send('POST', path, {
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', ...headers },
      }),
    post: (body, headers) => probe.postTo('/order', body, headers),
    order: (changes = {}, headers = {}) => probe.post({ ...fixture.order, ...changes }, headers),
    open: (url) => exchange(`GET ${url}`, getOf(url)),
    async openOwn(url) {
      const origin = URL.canParse(url) ? new URL(url).origin : undefined;
      if (origin !== undefined && origin !== new URL(target.baseUrl).origin)
        throw new ConformanceSkip(`${origin} is not the service`);
      return probe.open(url);
    },
    need(part) {
      const value = fixture[part];
      if (value === undefined || value === null) throw new ConformanceSkip(`the fixture has no ${part}`);
      return value;
    },
    needSandbox() {
      if (target.sandbox === undefined) throw new ConformanceSkip('the target has no sandbox controls');
      return target.sandbox;
    },
    note(text) {
      if (!notes.includes(text)) notes.push(text);
    },
  };
  return probe;
}

/** The controls of a sandbox: events of an order, and the sandbox's clock. */
export interface SandboxControls {
  act(orderId: string, action: 'pay' | 'fail' | 'expire' | 'deliver'): Promise<void>;
  /** Moves the sandbox's clock forward, by milliseconds. */
  advance(by: number): Promise<void>;
}

export interface ConformanceTarget {
  /** Base URL of the interface, without a trailing slash. */
  baseUrl: string;
  apiKey: string;
  /** A key of another account. Cases that need it are skipped if it is left out. */
  otherApiKey?: string;
  /** The data for the cases; by default, for the sandbox catalogue. */
  fixture?: ConformanceFixture;
  /** The service's choices where the interface leaves a choice open; this kit's own dialect if left out. */
  dialect?: Dialect;
  /** The controls of a sandbox. Cases that need them are skipped if they are left out. */
  sandbox?: SandboxControls;
  fetch(input: string, init?: RequestInit): Promise<Response>;
}

/** A test of one promise of the contract, against a running service. */
export interface ConformanceCase {
  name: string;
  /** Sentences that the case proves. */
  cites: readonly SpecReference[];
  /** `reads`: sends only GET requests. `writes`: sends other requests, too, even if they should be rejected. */
  needs: 'reads' | 'writes';
  /** `interface`: every service must pass. `extension`: a choice of this kit (`docs/open-points.md`). */
  origin: 'interface' | 'extension';
  /** @throws ConformanceFailure if the service violates the contract, ConformanceSkip if the case can't run. */
  run(probe: Probe): Promise<void>;
}

type TopicCase = Pick<ConformanceCase, 'cites' | 'needs' | 'run'>;

/** The cases of one topic by their names; `cases/index.ts` completes them. */
export type Topic = Record<string, TopicCase>;

const needing =
  (needs: ConformanceCase['needs']) =>
  (cites: ConformanceCase['cites'], run: ConformanceCase['run']): TopicCase => ({ cites, needs, run });

/** A case that sends only GET requests. */
export const reads = needing('reads');

/** A case that sends other requests, too, even if they should be rejected. */
export const writes = needing('writes');
