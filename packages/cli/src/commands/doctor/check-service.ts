import { headers } from '@topup-kit/core/contract';
import type { CommandContext } from '../../context.ts';
import { Problem } from '../../errors/cli-error.ts';
import { baseUrlHint } from '../../errors/hints.ts';
import { type Io, programName } from '../../io.ts';
import { besideInterface, isLoopback } from '../../service/connection.ts';
import { type Answer, reach, type Silence } from '../../service/probe.ts';
import { type Check, failed, good, skipped, warning } from './check.ts';
import { checkClock } from './check-clock.ts';
import { checkKey } from './check-key.ts';
import { type Address, findAddress } from './find-address.ts';

const name = 'service';

const listsGames = ({ body }: Answer): boolean =>
  typeof body === 'object' && body !== null && 'games' in body && Array.isArray(body.games);

function silent({ found, fix }: Silence, { baseUrl }: Address, program: string): Check {
  if (baseUrl.origin !== 'default')
    return failed(name, `${found} The base URL comes from ${baseUrl.source}.`, fix);
  return failed(
    name,
    found,
    `Start a sandbox, or set TOPUP_BASE_URL to your service:\n${program} serve --sandbox`,
  );
}

function answering(answer: Answer, { url, baseUrl }: Address): Check {
  const { status } = answer;
  const from = baseUrl.origin === 'default' ? '' : `, by ${baseUrl.source},`;
  const where = `${baseUrl.value}${from}`;
  if (status === 429 || status >= 500)
    return failed(
      name,
      `${where} answers with status ${status}`,
      'Wait a minute, then ask whoever runs the service.',
    );
  if (status !== 401 && status !== 403 && !(status === 200 && listsGames(answer)))
    return failed(name, `${where} answers, and is not the interface (status ${status})`, baseUrlHint);
  if (url.protocol === 'http:' && !isLoopback(url))
    return warning(
      name,
      `${where} answers without encryption`,
      'Use https: on the way anyone can read the key.',
    );
  return good(name, `${where} answers in ${answer.answeredAt - answer.sentAt} ms`);
}

/** What a server of this kit says of itself; other services say nothing there. */
async function checkHealth({ url }: Address, io: Io): Promise<Check> {
  const reached = await reach(new URL(`${besideInterface(url)}/health`), io);
  const status = 'answer' in reached ? reached.answer.status : 0;
  if (status === 503)
    return failed('health', 'the service says that its store takes no orders', "Look at the server's log.");
  const isHealthy =
    'answer' in reached && status === 200 && JSON.stringify(reached.answer.body) === '{"status":"ok"}';
  return isHealthy
    ? good('health', 'the service takes orders')
    : skipped('health', 'the service does not tell how it is');
}

async function ask(address: Address, io: Io): Promise<Check[]> {
  const program = programName(io);
  const { url, key } = address;
  const games = new URL(url.origin + url.pathname.replace(/\/*$/, '/games'));
  const reached = await reach(games, io, {
    Accept: 'application/json',
    ...(key && { [headers.apiKey]: key.value }),
  });
  if ('silence' in reached)
    return [silent(reached.silence, address, program), checkKey(address, undefined, program)];
  const { answer } = reached;
  return [
    answering(answer, address),
    checkKey(address, answer.status, program),
    checkClock(answer),
    await checkHealth(address, io),
  ];
}

/** Asks the service once as a client would, and says all that the answer tells. */
export async function checkService(context: CommandContext): Promise<Check[]> {
  let address: Address;
  try {
    address = await findAddress(context);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [failed(name, error.message, error.details.hint ?? null)];
  }
  return ask(address, context.io);
}
