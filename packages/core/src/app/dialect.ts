import {
  answerSchemas,
  type Dialect,
  kitDialect,
  type Operation,
  statusReplacer,
  withheldHeaders,
  writeEmptyFields,
} from '../contract/index.ts';
import type { Answer } from './http.ts';

/** What this kit serves beside an interface that is mounted at the root. */
const beside = /^\/(sandbox|pay|assets|health|docs|openapi\.json)(\/|$)/;

/** Whether a path belongs to the interface; only there a dialect is spoken. */
export const isOfInterface = (path: string, basePath: string): boolean =>
  path.startsWith(`${basePath}/`) && !(basePath === '' && beside.test(path));

const namesJson = /[/+]json\b/i;

/**
 * The refusal of a request whose `Accept` doesn't name JSON; undefined when it does. 422 is the interface's status
 * for a required part that is missing, and a page because without the header it promises no JSON (4).
 */
export function refusalWithoutAccept(accept: string | null): Answer | undefined {
  if (accept !== null && namesJson.test(accept)) return undefined;
  return {
    status: 422,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
    body: '<!doctype html><title>422</title><p>The header <code>Accept: application/json</code> is required (interface 4).</p>\n',
  };
}

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

/** The answers that show what the interface leaves open; the others are the same in every dialect. */
const open: ReadonlySet<Operation> = new Set(['getGame', 'getCheckout', 'getInvoice', 'getPaymentStatus']);

/** What a dialect says otherwise in the bodies of answers. */
const sayings = ({ paymentStatuses, buyStatuses, emptyFields }: Dialect): string =>
  JSON.stringify([paymentStatuses, buyStatuses, emptyFields]);

/** Writes the answer of an operation in a dialect; this kit's own is written as it is. */
export function answerTranslator(dialect: Dialect): (operation: Operation, answer: Answer) => Answer {
  if (sayings(dialect) === sayings(kitDialect)) return (_operation, answer) => answer;
  const replacer = statusReplacer(dialect);
  return (operation, answer) => {
    if (!open.has(operation) || typeof answer.body !== 'string') return answer;
    const body = writeEmptyFields(answerSchemas[operation], JSON.parse(answer.body), dialect.emptyFields);
    return { ...answer, body: JSON.stringify(body, replacer) };
  };
}
