import { headers } from '@topup-kit/core/contract';
import type { CommandContext } from '../../context.ts';
import { programName } from '../../io.ts';
import { printable } from '../../output/text.ts';
import { besideInterface, chooseConnection, sameService } from '../../service/connection.ts';
import { type Answered, brokenProblem, refusedProblem, unansweredProblem } from './control-problem.ts';

export interface Controls {
  /** Where the control routes stand. */
  root: string;
  /** Asks `GET /sandbox`, or `POST /sandbox/...` with a body; what goes wrong is thrown as a problem. */
  ask(path: string, body?: object): Promise<object>;
  /** A command line that asks the same server. */
  commandLine(args: string): string;
}

/** Moving time may let much fall due. */
const patience = 60_000;

async function readAnswer(response: Response): Promise<Answered> {
  const body: unknown = await response.json().catch(() => undefined);
  return { status: response.status, code: response.headers.get(headers.errorCode), body };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Connects a command to the control routes of the sandbox that its options and the environment name. */
export async function connectSandbox(context: CommandContext): Promise<Controls> {
  const connection = await chooseConnection(context);
  const { baseUrl, apiKey, keyFrom } = connection;
  const root = besideInterface(new URL(baseUrl));
  const program = programName(context.io);
  if (keyFrom === 'default') context.remark(`Asking the sandbox at ${printable(root)}.`);
  const timeout = AbortSignal.timeout(patience);
  const signal = context.io.signal ? AbortSignal.any([context.io.signal, timeout]) : timeout;
  return {
    root,
    async ask(path, body) {
      const answer = await fetch(`${root}/sandbox${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          Accept: 'application/json',
          [headers.apiKey]: apiKey,
          ...(body && { 'Content-Type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'manual',
        signal,
      }).then(readAnswer, (error: unknown) => {
        throw unansweredProblem(error, { root, program, connection, stopped: context.io.signal });
      });
      if (answer.status !== 200) throw refusedProblem(answer, { root, program, connection });
      if (isObject(answer.body) && 'data' in answer.body && isObject(answer.body.data))
        return answer.body.data;
      throw brokenProblem(root);
    },
    commandLine: (args) => sameService(context, args),
  };
}
