/** A request that a simulator received or sent, with its response. */
export interface Call {
  id: number;
  /** Time of the call, in unix milliseconds of the simulators' time. */
  at: number;
  provider: string;
  direction: 'in' | 'out';
  /** The call's operation, such as `create`, or the event of a callback. */
  operation: string;
  method: string;
  url: string;
  body: string;
  /** Status of the response; null before the response, or if there is none. */
  status: number | null;
  response: string;
  /** Number of the attempt, from 1; received requests have 1. */
  attempt: number;
}

/** The newest calls. Older calls are dropped. */
export interface Journal {
  add(call: Omit<Call, 'id'>): Call;
  list(): readonly Call[];
}

const maxCalls = 10_000;

export function createJournal(): Journal {
  const calls: Call[] = [];
  let count = 0;
  return {
    add(entry) {
      count += 1;
      const call = { id: count, ...entry };
      calls.push(call);
      if (calls.length > maxCalls) calls.shift();
      return call;
    },
    list: () => calls,
  };
}
