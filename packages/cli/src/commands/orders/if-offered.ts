import { Problem } from '../../errors/cli-error.ts';

/** How services without a route answer to it: not found, not allowed, elsewhere, or with a page. */
const missingRoute = ['NOT_OFFERED', 'NOT_FOUND', 'HTTP_ERROR', 'NOT_JSON', 'NOT_AN_OBJECT', 'EMPTY_BODY'];

/** The answer to a question that not every service takes; undefined where this one doesn't. */
export async function ifOffered<Answer>(question: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await question();
  } catch (error) {
    if (error instanceof Problem && missingRoute.includes(error.details.code)) return undefined;
    throw error;
  }
}
