import type { Citation } from './citation.ts';
import { ConformanceFailure, ConformanceSkip } from './failure.ts';
import type { Sample } from './sample.ts';
import { sandboxSample } from './sandbox-sample.ts';
import type { SandboxHands, Target } from './target.ts';

/** An answer, read to its end. */
export interface Answer {
  /** Method and path, for messages. */
  request: string;
  status: number;
  headers: Headers;
  text: string;
  /** What the text says as JSON; undefined when it is none. */
  body: unknown;
}

/** Headers to send; null leaves one out. */
export type SentHeaders = Record<string, string | null>;

/** A case's way to its target. */
export interface Probe {
  sample: Sample;
  apiKey: string;
  otherApiKey: string | undefined;
  /** Sends the common headers of the interface (4), and a body as it stands. */
  send(method: string, path: string, options?: { body?: string; headers?: SentHeaders }): Promise<Answer>;
  get(path: string, headers?: SentHeaders): Promise<Answer>;
  /** Posts a JSON body to `/order`. */
  post(body: object, headers?: SentHeaders): Promise<Answer>;
  /** Posts the sample's order with other or, where undefined, fewer fields. */
  order(changes?: object, headers?: SentHeaders): Promise<Answer>;
  /** Fetches an address of an answer, without a key. */
  open(url: string): Promise<Response>;
  /** A part of the sample; without it the case is skipped. */
  need<Key extends keyof Sample>(part: Key): NonNullable<Sample[Key]>;
  /** Hands on the sandbox's world; without them the case is skipped. */
  needSandbox(): SandboxHands;
  /** Something worth knowing that fails nothing. */
  note(text: string): void;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const withoutNulls = (headers: SentHeaders): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));

/** A probe for one run of one case; what it notes goes to `notes`. */
export function createProbe(
  { needs, cites }: { needs: 'reads' | 'writes'; cites: readonly Citation[] },
  target: Target,
  { signal, notes }: { signal: AbortSignal; notes: string[] },
): Probe {
  const sample = target.sample ?? sandboxSample;
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
    apiKey: target.apiKey,
    otherApiKey: target.otherApiKey,
    async send(method, path, { body, headers = {} } = {}) {
      if (needs === 'reads' && method !== 'GET') throw new Error(`a case that only reads sends no ${method}`);
      const request = `${method} ${path}`;
      const response = await exchange(request, target.baseUrl + path, {
        method,
        headers: withoutNulls({ ...common, ...headers }),
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      return { request, status: response.status, headers: response.headers, text, body: parse(text) };
    },
    get: (path, headers = {}) => probe.send('GET', path, { headers }),
    post: (body, headers = {}) =>
      probe.send('POST', '/order', {
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', ...headers },
      }),
    order: (changes = {}, headers = {}) => probe.post({ ...sample.order, ...changes }, headers),
    open: (url) => exchange(`GET ${url}`, url, {}),
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
