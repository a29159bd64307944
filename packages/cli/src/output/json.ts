const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** One JSON document; JSON leaves some characters that steer terminals as they are, this doesn't. */
export const jsonDocument = (value: unknown): string =>
  `${JSON.stringify(value, null, 2).replace(/[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu, escaped)}\n`;
