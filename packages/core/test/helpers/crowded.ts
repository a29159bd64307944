/**
 * The case that places a thousand orders, which takes a host seconds. It shows a rule of the engine, which no host and no
 * dialect has a part in: it is run in-process by `openapi-traffic.test.ts`, and over HTTP and the file store by
 * `pnpm test:slow`.
 */
export const crowded =
  'fees (extension): the thousandth unpaid bank transfer of one amount finds no unique code free';
