import { keyVariables, type RecordedRequest } from '@topup-kit/conformance';
import { visible } from '../../output/text.ts';

const variables = Object.values(keyVariables);

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Quotes a string for a POSIX shell, in which the variables of keys are replaced. */
function shellText(text: string): string {
  const parts = text.split(new RegExp(`(${variables.map((name) => name.replace('$', '\\$')).join('|')})`));
  if (parts.length === 1) return quoted(text);
  const inside = parts.map((part, index) =>
    index % 2 === 1 ? part.replace(/^\$(.*)$/, '$${$1}') : part.replace(/["\\$`]/g, '\\$&'),
  );
  return `"${inside.join('')}"`;
}

/** Maximum length of a body that is shown; a longer body is only described. */
const longestBody = 4_000;

/** Indents JSON; leaves any other text unchanged. */
function bodyText(body: string, width: number): string {
  if (body.length <= width) return body;
  try {
    const value: unknown = JSON.parse(body);
    return JSON.stringify(value) === body ? JSON.stringify(value, null, 2) : body;
  } catch {
    return body;
  }
}

/** Returns the headers that curl adds automatically. Without a value, curl omits them. */
const ofCurl = ({ body }: RecordedRequest): readonly string[] => [
  'Accept',
  ...(body === undefined ? [] : ['Content-Type']),
];

const isMissing = ({ headers }: RecordedRequest, name: string): boolean =>
  headers.every(([sent]) => sent.toLowerCase() !== name.toLowerCase());

/**
 * Returns the request as a curl command line with one flag per line. Keys are shell variables, never the keys themselves.
 *
 * @example
 * curlOf({ method: 'GET', url: 'https://shop.example/api/games', headers: [['X-API-KEY', '$TOPUP_API_KEY']] });
 * // curl -i https://shop.example/api/games \
 * //   -H 'Accept:' \
 * //   -H "X-API-KEY: ${TOPUP_API_KEY}"
 */
export function curlOf(request: RecordedRequest, width = 60): string {
  const { method, url, headers, body } = request;
  const isUsual = method === (body === undefined ? 'GET' : 'POST');
  const start = `curl -i ${isUsual ? '' : `-X ${method} `}${/^[\w@%+=:,./-]+$/.test(url) ? url : shellText(url)}`;
  const lines = [
    ...ofCurl(request)
      .filter((name) => isMissing(request, name))
      .map((name) => `-H '${name}:'`),
    // Without a value, curl omits a header; with a semicolon, curl sends an empty value.
    ...headers.map(([name, value]) => `-H ${shellText(value === '' ? `${name};` : `${name}: ${value}`)}`),
  ];
  if (body !== undefined && body.length > longestBody)
    lines.push(`--data-binary @body  # a body of ${body.length} characters, not shown here`);
  else if (body !== undefined) lines.push(`--data-raw ${shellText(bodyText(body, width))}`);
  return [start, ...lines.map((line) => `  ${line}`)].join(' \\\n').split('\n').map(visible).join('\n');
}
