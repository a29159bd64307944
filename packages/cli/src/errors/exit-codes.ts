/** Exit codes, of which scripts depend on each. */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  notFound: 3,
  auth: 4,
  network: 5,
  rejected: 6,
  rateLimited: 7,
  unknownOutcome: 8,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodesHelp = `Exit codes:
  0  done                        5  no answer from the service
  1  failed                      6  refused, so nothing changed
  2  wrong command line          7  too many requests
  3  not found                   8  still pending, or outcome unknown
  4  key missing or not allowed  130, 143  stopped by a signal`;
