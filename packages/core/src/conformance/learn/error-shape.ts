import type { ErrorShape } from '../../contract/index.ts';
import { isContainer } from '../json-path.ts';
import type { Answer } from '../probe.ts';

/** Which of the bodies of interface 7.1 an answer has; undefined for any other. */
export function errorShapeOf({ body }: Pick<Answer, 'body'>): ErrorShape | undefined {
  if (!isContainer(body) || typeof body.message !== 'string') return undefined;
  if (typeof body.error_code === 'string') return 'envelope';
  if (isContainer(body.errors)) return 'validation';
  return body.success === false ? 'business' : 'message';
}
