/**
 * Whether a request was sent by a page of another site: such a page may send one to this machine, but not without its
 * browser saying where it comes from.
 */
export const isFromAnotherSite = ({ headers }: Request): boolean =>
  !['same-origin', 'none', null].includes(headers.get('Sec-Fetch-Site'));
