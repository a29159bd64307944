import { DomainErrorWithHeaders } from '../../app/errors.ts';
import { noResponse } from '../../app/http.ts';
import type { CallControl } from '../../app/room.ts';
import { callScenarios, headers, type Operation } from '../../contract/index.ts';
import { DomainError } from '../../engine/index.ts';
import { type ActiveScenario, IntendedError } from './scenarios.ts';

/** How long a response takes in the scenario slow, in milliseconds. */
export const slowMs = 3_000;

/** The scenario flaky fails one of this many calls to an operation. */
export const flakyEvery = 3;

/** The error that scenarios return for a call; undefined for none. `failsThisTime` decides for the scenario flaky. */
export function faultOf(names: readonly string[], failsThisTime: () => boolean): DomainError | undefined {
  if (names.includes('maintenance'))
    return new DomainError('UNAVAILABLE', { cause: new IntendedError('scenario maintenance') });
  if (names.includes('rate-limited'))
    return new DomainErrorWithHeaders('RATE_LIMITED', { [headers.retryAfter]: '1' });
  if (names.includes('flaky') && failsThisTime())
    return new DomainError('UNAVAILABLE', { cause: new IntendedError('scenario flaky') });
  return undefined;
}

/** As at the control routes; a client that always sends the header has a value for the usual case. */
const noScenario = 'none';

/** The scenarios that the header of a request names, or the error for one that is not accepted. `none` adds none. */
export function readScenarioHeader<Name extends string>(
  sent: string | null,
  accepted: readonly Name[],
): readonly Name[] | DomainError {
  if (sent === null) return [];
  const isAccepted = (name: string): name is Name => accepted.some((known) => known === name);
  const listed = sent.split(',').map((name) => name.trim());
  const names = listed.filter((name) => name !== noScenario);
  if (names.every(isAccepted)) return names;
  return new DomainError('VALIDATION_ERROR', {
    fields: {
      [headers.scenario]: [{ rule: 'headerOneOf', params: { values: [noScenario, ...accepted].join(', ') } }],
    },
  });
}

// safe: the keys of a const table
const acceptedNames = Object.keys(callScenarios) as (keyof typeof callScenarios)[];

/**
 * Makes the calls to a sandbox obey its scenario, and those that the header of a request names. Throws the DomainError of a
 * scenario. A slow call is handled at once, so that an order may exist whose client no longer waits for the response.
 */
export function createCallControl(active: ActiveScenario): CallControl {
  const flakyCalls = new Map<Operation, number>();

  function isFlaky(operation: Operation): boolean {
    const count = (flakyCalls.get(operation) ?? 0) + 1;
    flakyCalls.set(operation, count);
    return count % flakyEvery === 0;
  }

  const around: CallControl['around'] = async (operation, request, handle) => {
    const fromHeader = readScenarioHeader(request.header(headers.scenario), acceptedNames);
    if (fromHeader instanceof DomainError) throw fromHeader;
    const names = [active.scenario, ...fromHeader];
    try {
      if (names.includes('offline')) return noResponse;
      const fault = faultOf(names, () => isFlaky(operation));
      if (fault) throw fault;
      return await handle();
    } finally {
      if (names.includes('slow')) await new Promise((resolve) => setTimeout(resolve, slowMs));
    }
  };
  return { state: active, header: headers.scenario, around };
}
