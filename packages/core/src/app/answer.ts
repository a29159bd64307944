/** An answer before it is a Response, so that a host may also write it itself. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
}

const json = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };

/** A JSON answer; text and bytes are the JSON they already are. */
export const jsonAnswer = (
  status: number,
  body: object | string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Answer => ({
  status,
  headers: { ...json, ...headers },
  body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
});

export const toResponse = ({ status, headers, body }: Answer): Response =>
  new Response(body, { status, headers });
