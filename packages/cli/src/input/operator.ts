import { userInfo } from 'node:os';
import { usageError } from '../errors/cli-error.ts';
import { type Io, setting } from '../io.ts';

export const operatorOption = [
  '--operator <name>',
  'name of the operator, for the history (TOPUP_OPERATOR; default: the system user)',
] as const;

const maxLength = 100;

/** Returns the system's user; a container may run as a user without a name. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Returns the operator's name from the flag, the environment, or the system's user. */
export function operatorName(io: Io, given: string | undefined): string {
  const set = setting(io, 'TOPUP_OPERATOR');
  const name = (given ?? set ?? systemUser()).trim();
  if (name !== '' && name.length <= maxLength && !/[\p{Cc}\p{Bidi_Control}]/u.test(name)) return name;
  throw usageError(
    `${given === undefined ? 'TOPUP_OPERATOR' : '--operator'} takes a name of 1 to ${maxLength} characters on one line.`,
  );
}
