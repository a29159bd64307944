/** Why an event could not be sent: its message is one line for an operator, with no secret and no part of a path. */
export class WebhookSendError extends Error {
  override readonly name = 'WebhookSendError';
}

/** Codes of errors of a connection, and what they mean. */
const connectionProblems: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ECONNREFUSED: 'refused the connection',
    ECONNRESET: 'closed the connection without a response',
    EPIPE: 'closed the connection without a response',
    ETIMEDOUT: "can't be reached",
    EHOSTUNREACH: "can't be reached",
    ENETUNREACH: "can't be reached",
    EADDRNOTAVAIL: "can't be reached",
  }),
);

const certificateProblems: ReadonlyMap<string, string> = new Map(
  Object.entries({
    CERT_HAS_EXPIRED: 'has expired',
    CERT_NOT_YET_VALID: 'is not valid yet',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'is signed by nobody but itself',
    SELF_SIGNED_CERT_IN_CHAIN: 'is signed by an authority that is not known here',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is signed by an authority that is not known here',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes without the certificates between it and its authority',
    ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name',
  }),
);

const isTlsCode = (code: string): boolean => /^(ERR_(SSL|TLS)|EPROTO$|CERT_|UNABLE_TO_)/.test(code);

/** Says in a sentence what an error of a request to `place`, a host with its port, means. */
export function describeSendError(error: unknown, place: string): WebhookSendError {
  if (error instanceof WebhookSendError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  const certificate = certificateProblems.get(code);
  const sentence = (): string => {
    if (certificate !== undefined) return `The certificate of ${place} ${certificate}.`;
    if (isTlsCode(code)) return `There is no TLS connection with ${place} (${code}).`;
    if (code.startsWith('HPE_')) return `${place} responded with something that is not HTTP (${code}).`;
    return `${place} ${connectionProblems.get(code) ?? `can't be sent anything (${code})`}.`;
  };
  return new WebhookSendError(sentence(), { cause: error });
}
