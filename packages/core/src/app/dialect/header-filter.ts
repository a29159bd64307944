import { type Dialect, withheldHeaders } from '../../contract/index.ts';
import type { Answer } from '../answer.ts';
import { isOfInterface } from './interface-path.ts';

/** Takes the headers that a dialect doesn't send out of answers of the interface. */
export interface HeaderFilter {
  response(request: Request, response: Response): void;
  answer(answer: Answer): Answer;
}

export function headerFilter(dialect: Dialect, basePath: string): HeaderFilter {
  const withheld = withheldHeaders(dialect);
  // Most dialects withhold nothing: then no address is read.
  if (withheld.length === 0) return { response: () => {}, answer: (answer) => answer };
  return {
    response(request, { headers }) {
      if (!isOfInterface(new URL(request.url).pathname, basePath)) return;
      for (const name of withheld) headers.delete(name);
    },
    answer: (answer) => ({
      ...answer,
      headers: Object.fromEntries(
        Object.entries(answer.headers).filter(([name]) => !withheld.includes(name)),
      ),
    }),
  };
}
