import { RefusalWithHeaders } from '@topup-kit/core/app';
import { headers } from '@topup-kit/core/contract';
import { Refusal } from '@topup-kit/core/engine';
import { isScenario, type ScenarioName, scenarioHeader, scenarioNames } from './names.ts';
import { AskedForError } from './parts.ts';

/** The refusal that scenarios make of a call; undefined when they let it go on. */
export function faultOf(names: readonly ScenarioName[], failsThisTime: () => boolean): Refusal | undefined {
  if (names.includes('maintenance'))
    return new Refusal('UNAVAILABLE', { cause: new AskedForError('scenario maintenance') });
  if (names.includes('rate-limited'))
    return new RefusalWithHeaders('RATE_LIMITED', { [headers.retryAfter]: '1' });
  if (names.includes('flaky') && failsThisTime())
    return new Refusal('UNAVAILABLE', { cause: new AskedForError('scenario flaky') });
  return undefined;
}

/** What a request's own header asks for: scenarios, or the refusal of a name that there isn't. */
export function readScenarioHeader(request: Request): ScenarioName[] | Refusal {
  const sent = request.headers.get(scenarioHeader);
  if (sent === null) return [];
  const names = sent.split(',').map((name) => name.trim());
  if (names.every(isScenario)) return names;
  const rule = `The ${scenarioHeader} header must be one of ${scenarioNames.join(', ')}.`;
  return new Refusal('VALIDATION_ERROR', { fields: { [scenarioHeader]: [rule] } });
}
