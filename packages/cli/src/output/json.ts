const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON leaves some characters that steer terminals as they are, this doesn't. */
const safe = (json: string): string =>
  `${json.replace(/[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu, escaped)}\n`;

/** One JSON document. */
export const jsonDocument = (value: unknown): string => safe(JSON.stringify(value, null, 2));

/** One JSON document on one line, of a stream of them. */
export const jsonLine = (value: unknown): string => safe(JSON.stringify(value));
