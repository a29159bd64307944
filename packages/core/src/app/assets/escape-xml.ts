// All that XML 1.0 allows nowhere, not even as a character reference: controls and half surrogates.
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const references: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * One line of text that an XML document may hold: forbidden characters dropped, white space collapsed.
 *
 * @example
 * oneLine(' Free\n\u0000 Fire '); // 'Free Fire'
 */
export const oneLine = (text: string): string => text.replace(forbidden, '').replace(/\s+/g, ' ').trim();

/**
 * Text made fit for the content or an attribute of an XML element.
 *
 * @example
 * escapeXml('Clash & "Co" <3'); // 'Clash &amp; &quot;Co&quot; &lt;3'
 */
export const escapeXml = (text: string): string =>
  text.replace(forbidden, '').replace(/[&<>"']/g, (character) => references[character] ?? '');
