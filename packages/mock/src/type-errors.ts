import { fieldMessage } from '@topup-kit/core/contract';
import { DomainError } from '@topup-kit/core/engine';

/** The problem, for the developer of a test. */
const asTypeError = ({ fields = {} }: DomainError): TypeError =>
  new TypeError(
    Object.entries(fields)
      .flatMap(([name, failures]) => failures.map((failure) => fieldMessage(name, failure, 'en')))
      .join(' '),
  );

/** Does something whose DomainErrors are mistakes of a test. @throws TypeError that names the problem. */
export function inTypeErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof DomainError ? asTypeError(error) : error;
  }
}
