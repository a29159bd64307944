// This is the client without the SDK's response validation, because this program reports departures itself.
import { createClientOn, responseShapes } from '@topup-kit/sdk/internal/client';
import { type Hooks, isTopupError, type RequestOptions, type TopupClient } from '@topup-kit/sdk/light';
import type { CommandContext } from '../context.ts';
import { CliError } from '../errors/cli-error.ts';
import { programName } from '../io.ts';
import { departureWords, fitResponse } from '../output/departures.ts';
import { type ReportProgress, withProgress } from '../output/progress.ts';
import { printable } from '../output/text.ts';
import { chooseConnection, ownPort, type ServiceConnection, sameService } from './connection.ts';
import type { ErrorContext } from './hints.ts';
import { platform } from './platform.ts';

/** Period without a successful response. */
export interface Outage {
  /** Time when the first failed request was sent, in unix milliseconds. */
  since: number;
  /** Status of the last response; undefined if there is none. */
  status?: number;
}

interface ConnectionHealth {
  hooks: Hooks;
  outage(): Outage | undefined;
}

function createConnectionHealth(): ConnectionHealth {
  let outage: Outage | undefined;
  return {
    hooks: {
      onRequest() {
        outage ??= { since: Date.now() };
      },
      onResponse({ status }) {
        outage = status < 500 ? undefined : { since: outage?.since ?? Date.now(), status };
      },
    },
    outage: () => outage,
  };
}

/** Header with the language of this program, so that the service's messages match it. */
const inEnglish = { 'Accept-Language': 'en' };

export interface Service {
  connection: ServiceConnection;
  /** Sends a request; throws a CliError if it fails. A long request may report its progress. */
  ask<Value>(
    request: (client: TopupClient, options: RequestOptions, report: ReportProgress) => Promise<Value>,
    about?: Pick<ErrorContext, 'game'>,
  ): Promise<Value>;
  /** The current outage; undefined while the service responds. */
  outage(): Outage | undefined;
  commandLine(args: string): string;
}

export async function serviceAt(context: CommandContext, connection: ServiceConnection): Promise<Service> {
  const { baseUrl, apiKey } = connection;
  const health = createConnectionHealth();
  const commandLine = (args: string): string => sameService(context, args);
  /** Departures that were reported; each is reported only once. */
  const departures = new Set<string>();
  return {
    connection,
    outage: health.outage,
    commandLine,
    async ask(request, about) {
      const before = departures.size;
      try {
        const client = createClientOn(
          platform,
          // Requests are not repeated: the user sees the error and decides whether to try again.
          { baseUrl, apiKey, maxRetries: 0, hooks: health.hooks },
          (operation, body) => {
            // Safe: the client rejects a body that is not an object.
            const found = fitResponse(responseShapes[operation], body as object, apiKey);
            for (const departure of found) departures.add(departure);
          },
        );
        return await withProgress(context, `Asking ${baseUrl}`, (report) =>
          request(client, { signal: context.io.signal, headers: inEnglish }, report),
        );
      } catch (error) {
        if (!isTopupError(error)) throw error;
        const { fromSdkError } = await import('./from-sdk.ts');
        throw fromSdkError(error, { ...about, connection, program: programName(context.io), commandLine });
      } finally {
        if (departures.size > before) context.remark(`${departureWords([...departures].slice(before))}\n`);
      }
    },
  };
}

export async function connect(context: CommandContext): Promise<Service> {
  const connection = await chooseConnection(context);
  if (connection.keyFrom === 'default')
    context.remark(
      connection.urlSource === ownPort
        ? `Using the server at ${printable(connection.baseUrl)} (${ownPort}) with the well-known sandbox key. Set TOPUP_BASE_URL for another server, and TOPUP_API_KEY for another key.`
        : `Using the sandbox at ${printable(connection.baseUrl)} with its well-known key.`,
    );
  return serviceAt(context, connection);
}

/** Error codes of a service without the route: not found, not allowed, redirected, or an HTML page. */
const missingRoute = ['NOT_OFFERED', 'NOT_FOUND', 'HTTP_ERROR', 'NOT_JSON', 'NOT_AN_OBJECT', 'EMPTY_BODY'];

/** Sends a request to an optional route; undefined if the service doesn't have the route. */
export async function ifOffered<Value>(request: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof CliError && missingRoute.includes(error.details.code)) return undefined;
    throw error;
  }
}
