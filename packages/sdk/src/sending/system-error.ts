/** Codes of failures to connect, in Node and Bun, certificates among them: nothing can have been sent. */
const failuresToConnect =
  /^(E(CONNREFUSED|NOTFOUND|AI_AGAIN)|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$|(^|_)CERT(_|$)/;

/** The system's code, such as `ECONNREFUSED`; runtimes put it some causes deep. */
export function systemCodeOf(cause: unknown, depth = 9): string | undefined {
  // No `instanceof`: a test runner's errors are of another realm. No end of causes either: they may go in a circle.
  const { code, cause: deeper }: { code?: unknown; cause?: unknown } = Object(cause);
  if (typeof code === 'string' && /^[A-Za-z]\w*$/.test(code)) return code;
  return deeper && depth ? systemCodeOf(deeper, depth - 1) : undefined;
}

export const neverConnected = (systemCode = ''): boolean => failuresToConnect.test(systemCode);
