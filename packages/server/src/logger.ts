import { type Level, type Logger, pino } from 'pino';

export type { Logger };

/** Logs JSON lines to stderr; stdout is for results. */
export const createLogger = (level: Level | 'silent'): Logger =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: true }),
  );
