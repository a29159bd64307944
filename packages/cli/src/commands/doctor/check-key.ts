import { maskedKey, type Sourced } from '../../config/resolve.ts';
import { type Check, failed, good, skipped } from './check.ts';
import type { Address } from './find-address.ts';

const name = 'key';

const keyWords = ({ value, origin, source }: Sourced): string =>
  origin === 'default' ? 'the well-known key of sandboxes' : `the key of ${source} (${maskedKey(value)})`;

/** Whether there is a key for the service, and what it says of it. */
export function checkKey({ key, keyProblem }: Address, status: number | undefined, program: string): Check {
  if (keyProblem) return failed(name, keyProblem.message, keyProblem.details.hint ?? null);
  if (!key)
    return failed(
      name,
      'there is none for this service',
      `Put it into TOPUP_API_KEY, or keep it in a profile:\n${program} login`,
    );
  if (status === 200) return good(name, `${keyWords(key)} is accepted`);
  if (status === 403) return good(name, `${keyWords(key)} is known, and may not list games`);
  if (status === 401)
    return failed(
      name,
      `${keyWords(key)} is refused`,
      `Name another with TOPUP_API_KEY, --key-file or ${program} login. On a server of your own:\n${program} keys create --name my-key`,
    );
  return skipped(name, `${keyWords(key)} was not judged`);
}
