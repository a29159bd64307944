import { type ExitCode, exitCodes, Problem, systemCode } from '../../errors/cli-error.ts';
import type { Connection } from '../../service/connection.ts';

/** An answer of the control routes that is no 200. */
export interface Answered {
  status: number;
  code: string | null;
  body: unknown;
}

interface AskedRoot {
  /** Where the control routes stand. */
  root: string;
  program: string;
  connection: Connection;
}

export function unansweredProblem(
  error: unknown,
  { root, program, connection, stopped }: AskedRoot & { stopped: AbortSignal | undefined },
): Problem {
  if (stopped?.aborted) {
    const exitCode = stopped.reason === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted;
    return new Problem('Stopped before the answer came.', { code: 'ABORTED', exitCode, cause: error });
  }
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  const reason = isTimeout ? 'it took too long' : (systemCode(error) ?? 'the connection failed');
  return new Problem(`No answer from ${root} (${reason}).`, {
    code: isTimeout ? 'TIMEOUT' : 'NETWORK_ERROR',
    exitCode: exitCodes.network,
    hint:
      connection.urlFrom === 'default'
        ? `Start a sandbox with \`${program} serve --sandbox\`, or set TOPUP_BASE_URL to yours.`
        : `Check that the sandbox is up, and that ${connection.urlSource} is its base URL.`,
    cause: error,
  });
}

export const brokenProblem = (root: string): Problem =>
  new Problem(`${root} answered with something else than a sandbox of this kit does.`, {
    code: 'INVALID_RESPONSE',
    exitCode: exitCodes.failure,
    hint: 'Check that the base URL is that of a server in sandbox mode.',
  });

const noSandbox = ({ root, program }: AskedRoot): Problem =>
  new Problem(`${root} is no sandbox.`, {
    code: 'NO_SANDBOX',
    exitCode: exitCodes.failure,
    hint: `Only a server in sandbox mode can be played with; a live one has no such routes.\nTo start one:\n  ${program} serve --sandbox`,
  });

const messageIn = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string'
    ? body.message
    : undefined;

function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return exitCodes.auth;
  return status >= 400 && status < 500 ? exitCodes.rejected : exitCodes.failure;
}

/** An answer that refuses what was asked, in the words of the service where we have none. */
export function refusedProblem({ status, code, body }: Answered, asked: AskedRoot): Problem {
  if (code === 'ROUTE_NOT_FOUND' || (status === 404 && code === null)) return noSandbox(asked);
  if (code === null) return brokenProblem(asked.root);
  const exitCode = status === 404 ? exitCodes.notFound : exitCodeOf(status);
  return new Problem(messageIn(body) ?? `The sandbox answered with status ${status}.`, {
    code,
    exitCode,
    hint:
      exitCode === exitCodes.auth
        ? 'From another machine, a sandbox takes its key: put it into TOPUP_API_KEY.'
        : undefined,
  });
}
