/**
 * JSON text in which the key stands nowhere, neither as it is nor escaped: a service may quote what it was sent.
 * `plain` is the same JSON, written as `JSON.stringify` does.
 */
export function withoutKey(text: string, plain: string, apiKey: string): string {
  const quoted = JSON.stringify(apiKey).slice(1, -1);
  return text.includes(apiKey) || plain.includes(quoted) ? plain.replaceAll(quoted, '[apiKey]') : text;
}
