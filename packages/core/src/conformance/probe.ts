import { type Dialect, kitDialect } from '../contract/index.ts';
import { missingExtension, readInDialect } from './dialect.ts';
import { type Citation, ConformanceFailure, ConformanceSkip } from './failure.ts';
import { type Sample, sandboxSample } from './sample.ts';

/** A response, read to its end. */
export interface ProbedResponse {
  /** Method and path, for messages. */
  request: string;
  status: number;
  headers: Headers;
  text: string;
  /** What the text says as JSON, read in its dialect; undefined when it is none. */
  body: unknown;
  dialect: Dialect;
}

/** Headers to send; null leaves one out. */
export type SentHeaders = Record<string, string | null>;

/** A case's way to its target. */
export interface Probe {
  sample: Sample;
  dialect: Dialect;
  apiKey: string;
  otherApiKey: string | undefined;
  /**
   * Sends the common headers of the interface (4), and a body as it stands. What leans on an extension that the
   * dialect doesn't have is not sent: the case is skipped.
   */
  send(
    method: string,
    path: string,
    options?: { body?: string; headers?: SentHeaders },
  ): Promise<ProbedResponse>;
  get(path: string, headers?: SentHeaders): Promise<ProbedResponse>;
  /** Posts a JSON body to `/order`. */
  post(body: object, headers?: SentHeaders): Promise<ProbedResponse>;
  /** Posts the sample's order with other or, where undefined, fewer fields. */
  order(changes?: object, headers?: SentHeaders): Promise<ProbedResponse>;
  /** Fetches an address of a response, without a key. */
  open(url: string): Promise<Response>;
  /** As `open`; an address that is another host's skips the case, as nobody asked to try that host. */
  openOwn(url: string): Promise<Response>;
  /** A part of the sample; without it the case is skipped. */
  need<Key extends keyof Sample>(part: Key): NonNullable<Sample[Key]>;
  /** The controls of the sandbox's world; without them the case is skipped. */
  needSandbox(): SandboxControls;
  /** Something worth knowing that fails nothing. */
  note(text: string): void;
}

const withoutNulls = (headers: SentHeaders): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));

/** A probe for one run of one case; what it notes goes to `notes`. */
export function createProbe(
  { needs, cites }: { needs: 'reads' | 'writes'; cites: readonly Citation[] },
  target: Target,
  { signal, notes }: { signal: AbortSignal; notes: string[] },
): Probe {
  const { sample = sandboxSample, dialect = kitDialect } = target;
  const common = { Accept: 'application/json', 'X-API-KEY': target.apiKey };

  async function exchange(request: string, url: string, init: RequestInit): Promise<Response> {
    try {
      return await target.fetch(url, { ...init, signal });
    } catch (cause) {
      const [by = 'interface 4'] = cites;
      throw new ConformanceFailure({ request, expected: 'an answer', came: String(cause), by });
    }
  }

  const probe: Probe = {
    sample,
    dialect,
    apiKey: target.apiKey,
    otherApiKey: target.otherApiKey,
    async send(method, path, { body, headers = {} } = {}) {
      if (needs === 'reads' && method !== 'GET') throw new Error(`a case that only reads sends no ${method}`);
      const request = `${method} ${path}`;
      const sent = new Headers(withoutNulls({ ...common, ...headers }));
      const missing = missingExtension(dialect, { path, headers: sent, body });
      if (missing !== undefined) throw new ConformanceSkip(missing);
      const response = await exchange(request, target.baseUrl + path, {
        method,
        headers: sent,
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      const { status, headers: came } = response;
      return { request, status, headers: came, text, body: readInDialect(text, dialect), dialect };
    },
    get: (path, headers = {}) => probe.send('GET', path, { headers }),
    post: (body, headers = {}) =>
      probe.send('POST', '/order', {
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', ...headers },
      }),
    order: (changes = {}, headers = {}) => probe.post({ ...sample.order, ...changes }, headers),
    open: (url) => exchange(`GET ${url}`, url, {}),
    async openOwn(url) {
      const origin = URL.parse(url)?.origin;
      if (origin !== undefined && origin !== URL.parse(target.baseUrl)?.origin)
        throw new ConformanceSkip(`${origin} is not the service`);
      return probe.open(url);
    },
    need(part) {
      const value = sample[part];
      if (value === undefined || value === null) throw new ConformanceSkip(`the sample has no ${part}`);
      return value;
    },
    needSandbox() {
      if (target.sandbox === undefined)
        throw new ConformanceSkip('the target is no sandbox that can be moved');
      return target.sandbox;
    },
    note(text) {
      if (!notes.includes(text)) notes.push(text);
    },
  };
  return probe;
}

/** What a sandbox lets happen from outside. */
export interface SandboxControls {
  act(orderId: string, action: 'pay' | 'fail' | 'expire' | 'deliver'): Promise<void>;
  /** Moves world time on, by milliseconds. */
  advance(by: number): Promise<void>;
}

/** A service to try the contract on. */
export interface Target {
  /** Where the interface is mounted, without a slash at its end. */
  baseUrl: string;
  apiKey: string;
  /** A key of another account; cases that need one are skipped without it. */
  otherApiKey?: string;
  /** What may be ordered there; the sandbox catalogue's when left out. */
  sample?: Sample;
  /** How the service fills the interface's silence; this kit's own way when left out. */
  dialect?: Dialect;
  /** The controls of a sandbox's world; without them the cases that need them are skipped. */
  sandbox?: SandboxControls;
  fetch(input: string, init?: RequestInit): Promise<Response>;
}
