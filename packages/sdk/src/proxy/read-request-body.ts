import type { ProxyConfig } from './check-options.ts';
import { readBytes } from './read-bytes.ts';
import { Refusal } from './refusal.ts';
import { within } from './within.ts';

/** Asking for this type keeps a page of another site from sending it without a preflight. */
const json = /^application\/json\s*(;|$)/i;

/** The body of a POST, byte for byte: what it says is for the service to judge. Whatever `Content-Length` says, its bytes are counted. */
export async function readRequestBody(
  request: Request,
  { maxBodyBytes, timeout }: ProxyConfig,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!json.test(request.headers.get('Content-Type') ?? '')) throw new Refusal('UNSUPPORTED_MEDIA_TYPE');
  if (Number(request.headers.get('Content-Length')) > maxBodyBytes) throw new Refusal('PAYLOAD_TOO_LARGE');
  if (request.bodyUsed) throw new Refusal('SERVER_ERROR');
  const bytes = await within(timeout, 'REQUEST_TIMEOUT', (signal) =>
    readBytes(request.body, maxBodyBytes, signal).catch(() => {
      throw new Refusal('BAD_REQUEST');
    }),
  );
  if (bytes === undefined) throw new Refusal('PAYLOAD_TOO_LARGE');
  return bytes;
}
