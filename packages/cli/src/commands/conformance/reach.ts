import type { CommandContext } from '../../context.ts';
import { type ExitCode, exitCodes, Problem } from '../../errors/cli-error.ts';
import { baseUrlHint } from '../../errors/hints.ts';
import { printable } from '../../output/text.ts';
import { connect, type Service } from '../../service/client.ts';
import type { Connection } from '../../service/connection.ts';
import { type Patience, patienceMs } from './patient-fetch.ts';

/** Failures of an answer, which may yet be that of such a service. */
const findings: readonly ExitCode[] = [
  exitCodes.failure,
  exitCodes.notFound,
  exitCodes.rejected,
  exitCodes.rateLimited,
];

async function askAsClient(service: Service): Promise<void> {
  try {
    await service.ask((client, options) => client.games.list(options));
  } catch (error) {
    if (!(error instanceof Problem && findings.includes(error.details.exitCode))) throw error;
  }
}

async function isJsonObject(response: Response): Promise<boolean> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null && !Array.isArray(body);
  } catch {
    return false;
  }
}

function exitCodeOf(status: number): ExitCode {
  if (status === 404) return exitCodes.notFound;
  return status >= 400 && status < 500 ? exitCodes.rejected : exitCodes.failure;
}

/** Makes sure that there is such a service, and that it takes the key: without either, nothing is worth telling. */
export async function reach(
  context: CommandContext,
  { baseUrl, apiKey, patience }: Pick<Connection, 'baseUrl' | 'apiKey'> & { patience: Patience },
): Promise<void> {
  const service = await connect(context);
  await askAsClient(service);
  const response = await patience.fetch(`${baseUrl}/games`, {
    headers: { Accept: 'application/json', 'X-API-KEY': apiKey },
    signal: AbortSignal.timeout(patienceMs),
  });
  const { status } = response;
  // Only now, when the first question was one too many.
  if (status === 401 || status === 403) await askAsClient(service);
  if (status === 200 && (await isJsonObject(response))) return;
  const came = status === 200 ? 'no JSON object' : `status ${status}`;
  throw new Problem(
    `${printable(baseUrl)}/games answered with ${came}: this is no base URL of such a service.`,
    { code: 'NO_SUCH_SERVICE', exitCode: exitCodeOf(status), hint: baseUrlHint },
  );
}
