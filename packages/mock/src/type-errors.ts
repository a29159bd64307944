import { fieldMessage } from '@topup-kit/core/contract';
import { DomainError } from '@topup-kit/core/engine';

/** Converts a DomainError to a TypeError for the developer of a test. */
const asTypeError = ({ fields = {} }: DomainError): TypeError =>
  new TypeError(
    Object.entries(fields)
      .flatMap(([name, failures]) => failures.map((failure) => fieldMessage(name, failure, 'en')))
      .join(' '),
  );

/** Runs work, and converts its DomainErrors, which are mistakes in a test. @throws TypeError that names the problem. */
export function inTypeErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof DomainError ? asTypeError(error) : error;
  }
}
