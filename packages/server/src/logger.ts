import { type DestinationStream, type Level, type Logger, pino } from 'pino';

/** What went wrong at a provider is in its message; its stack would only show where this kit asks. */
const errorForLog = (error: Error): object =>
  error.name === 'ProviderError'
    ? { type: error.name, message: error.message }
    : pino.stdSerializers.err(error);

/** Logs JSON lines, to stderr by default, because stdout is for results. */
export const createLogger = (
  level: Level | 'silent',
  destination: DestinationStream = pino.destination({ fd: 2, sync: true }),
): Logger =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: errorForLog } },
    destination,
  );
