const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}}`;

/** A text on one line that can't steer the terminal: control and direction characters are shown, not sent. */
export const printable = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Bidi_Control}]/gu, escaped);
