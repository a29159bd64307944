/** A key as it may be shown: of a long one its end, by which its owner knows it, and of a short one nothing. */
export const maskedKey = (key: string): string => `****${key.length < 20 ? '' : key.slice(-4)}`;
