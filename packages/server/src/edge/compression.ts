import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type PlainResponse, varyingBy } from '@topup-kit/core/app';
import { parseAccept } from 'hono/utils/accept';

const compressors = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes),
};

type Encoding = keyof typeof compressors;

/** Supported encodings, best first. */
const encodings: readonly Encoding[] = ['br', 'gzip'];

/** Minimum size of a body to compress; a shorter body fits into one packet. */
const minBytes = 1_024;

/** Maximum number of compressed bodies to keep; the oldest is dropped. */
const maxKept = 256;

/** Returns the client's preferred encoding; undefined for none. `*` allows encodings that the header doesn't name (RFC 9110, 12.5.3). */
export function chooseEncoding(acceptEncoding: string): Encoding | undefined {
  const accepted = parseAccept(acceptEncoding);
  const find = (name: string): number | undefined =>
    accepted.find(({ type }) => type.toLowerCase() === name)?.q;
  const quality = (name: Encoding): number => find(name) ?? find('*') ?? 0;
  const [best] = encodings.toSorted((a, b) => quality(b) - quality(a));
  return best && quality(best) > 0 && quality(best) >= (find('identity') ?? 0) ? best : undefined;
}

/** Compresses a version of a response for a client's `Accept-Encoding`. */
type Compress = (
  version: string,
  response: PlainResponse,
  acceptEncoding: string | undefined,
) => PlainResponse | Promise<PlainResponse>;

/**
 * Creates a function that compresses responses with an `ETag`, which only the catalogue has: a response that combines a secret with another
 * person's text must not be compressed (BREACH). Each version is compressed once, in Node's thread pool, and sent uncompressed if the
 * compression fails.
 */
export function createCompression(): Compress {
  const kept = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  /** Last header and its encoding; most clients send the same header. */
  let last: { header: string; encoding: Encoding | undefined } = { header: '', encoding: undefined };

  function encodingFor(header: string): Encoding | undefined {
    if (header !== last.header) last = { header, encoding: chooseEncoding(header) };
    return last.encoding;
  }

  function compressed(
    version: string,
    encoding: Encoding,
    body: Uint8Array,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const name = `${encoding} ${version}`;
    const known = kept.get(name);
    if (known) return known;
    const made = compressors[encoding](body);
    kept.set(name, made);
    // Lets the next client try again.
    made.catch(() => kept.delete(name));
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    return made;
  }

  return (version, response, acceptEncoding) => {
    const whole = varyingBy(response, 'Accept-Encoding');
    const encoding = acceptEncoding === undefined ? undefined : encodingFor(acceptEncoding);
    if (!encoding) return whole;
    const body = typeof response.body === 'string' ? Buffer.from(response.body) : response.body;
    if (body.length < minBytes) return whole;
    return compressed(version, encoding, body).then(
      (bytes) => ({ ...whole, own: { ...whole.own, 'Content-Encoding': encoding }, body: bytes }),
      () => whole,
    );
  };
}
