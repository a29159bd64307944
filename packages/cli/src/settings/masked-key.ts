/** A key as it may be shown: of a long one its end, by which its owner knows it, and of a short one nothing. */
export const maskedKey = (key: string): string => `****${key.length < 20 ? '' : key.slice(-4)}`;

/** What somebody typed as it may be shown: what looks like a key in it is masked. */
export const withoutKeys = (text: string): string =>
  text.replace(/\btk_\w+|\b(?=[A-Za-z]*\d)[A-Za-z\d]{24,}\b/g, maskedKey);

/** An address as it may be shown: names and passwords have no place in one, and are masked. */
export const withoutCredentials = (url: string): string => url.replace(/^(\w+:\/\/)[^/?#]*@/, '$1****@');
