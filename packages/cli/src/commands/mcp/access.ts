import type { CommandContext } from '../../context.ts';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import { programName } from '../../io.ts';
import { connect, type Service } from '../../service/client.ts';
import { chooseConnection, type ServiceConnection } from '../../service/connection.ts';
import type { ChosenSandbox } from '../../service/local-sandbox.ts';
import { askWorld, type Controls, connectSandbox, type SandboxWorld } from '../sandbox/controls.ts';

export interface ReadySandbox {
  controls: Controls;
  connection: ServiceConnection;
  world: SandboxWorld;
}

export interface SandboxAccess {
  /** True if the sandbox runs in this process. */
  isOurs: boolean;
  /**
   * Returns the controls and the state of the sandbox. Reads them each time, because another service may have replaced the sandbox.
   * @throws CliError NO_SANDBOX
   */
  ready(): Promise<ReadySandbox>;
  /** Returns the interface of the sandbox, after the check of {@link ready}. */
  service(): Promise<Service>;
}

const startHint = (program: string): string =>
  `Name a sandbox and its key, or start one with \`${program} mcp --start\`.`;

const notOurs = (message: string, program: string): CliError =>
  new CliError(`${message} \`${program} mcp\` never works with a live service.`, {
    code: 'NO_SANDBOX',
    exitCode: exitCodes.failure,
    hint: startHint(program),
  });

/** Reads the state of a sandbox. A service with another response at this path is not a sandbox. */
async function readWorld(controls: Controls, program: string): Promise<SandboxWorld> {
  const world = await askWorld(controls, '').catch((error: unknown) => {
    if (error instanceof CliError && error.details.code === 'NO_SANDBOX')
      throw notOurs(error.message, program);
    throw error;
  });
  if (Object.keys(world.scenarios).length === 0) throw notOurs(`${controls.root} is not a sandbox.`, program);
  return world;
}

const liveKey = ({ keySource }: ServiceConnection, program: string): CliError =>
  new CliError(`The key of ${keySource} belongs to a live service, so nothing was sent.`, {
    code: 'NO_SANDBOX',
    exitCode: exitCodes.failure,
    hint: startHint(program),
  });

/** Timeout of the check for a sandbox, in milliseconds. Assistants give up if a command doesn't start to serve. */
const questionMs = 5_000;

export function accessTo({
  context: given,
  isOurs,
}: Pick<ChosenSandbox, 'context' | 'isOurs'>): SandboxAccess {
  const context: CommandContext = { ...given, remark: () => {} };
  const program = programName(context.io);

  async function ready(): Promise<ReadySandbox> {
    const connection = await chooseConnection(context);
    if (connection.apiKey.startsWith('tk_live_')) throw liveKey(connection, program);
    const world = await readWorld(await connectSandbox(context, questionMs), program);
    return { controls: await connectSandbox(context), connection, world };
  }

  return {
    isOurs,
    ready,
    async service() {
      await ready();
      return connect(context);
    },
  };
}
