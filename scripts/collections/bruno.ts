import { headers } from '@topup-kit/core/contract';
import {
  type CollectionRequest,
  collectionDescription,
  collectionName,
  orderVariable,
  type RequestFolder,
  type RequestValue,
  variables,
} from './requests.ts';

/** Creates a block of Bruno's markup. */
const block = (name: string, lines: readonly string[]): string =>
  `${name} {\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n}\n`;

const blockIfAny = (name: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [block(name, lines)];

const docs = (text: string): string => block('docs', text.split('\n'));

/** Creates the line of a value; `~` disables it. */
const line = ({ name, value, optional }: RequestValue): string => `${optional ? '~' : ''}${name}: ${value}`;

const assertion = ({ path, equals }: CollectionRequest['expected'][number]): string =>
  `res.body.${path}: ${equals === undefined ? 'isDefined' : `eq ${equals}`}`;

function addressOf({ base, path, query }: CollectionRequest): string {
  const sent = query.filter(({ optional }) => !optional).map(({ name, value }) => `${name}=${value}`);
  return `{{${base}}}${path}${sent.length === 0 ? '' : `?${sent.join('&')}`}`;
}

function requestFile(request: CollectionRequest, position: number): string {
  const { name, description, method, query, pathValues, body, status, expected, placesOrder } = request;
  return [
    block('meta', [`name: ${name}`, 'type: http', `seq: ${position}`]),
    block(method.toLowerCase(), [
      `url: ${addressOf(request)}`,
      `body: ${body === undefined ? 'none' : 'json'}`,
      'auth: inherit',
    ]),
    ...blockIfAny('params:query', query.map(line)),
    ...blockIfAny('params:path', pathValues.map(line)),
    ...blockIfAny('headers', request.headers.map(line)),
    ...blockIfAny('body:json', body === undefined ? [] : JSON.stringify(body, null, 2).split('\n')),
    ...blockIfAny('vars:post-response', placesOrder ? [`${orderVariable}: res.body.orderId`] : []),
    block('assert', [`res.status: eq ${status}`, ...expected.map(assertion)]),
    docs(description),
  ].join('\n');
}

const folderFile = ({ name, description }: RequestFolder, position: number): string =>
  [block('meta', [`name: ${name}`, `seq: ${position}`]), docs(description)].join('\n');

const collectionFile = (): string =>
  [
    block('headers', ['Accept: application/json']),
    block('auth', ['mode: apikey']),
    block('auth:apikey', [`key: ${headers.apiKey}`, 'value: {{apiKey}}', 'placement: header']),
    docs(collectionDescription),
  ].join('\n');

const manifest = (): string =>
  `${JSON.stringify({ version: '1', name: collectionName, type: 'collection', ignore: [] }, null, 2)}\n`;

/** Creates the files of a Bruno collection, by their path in its folder. */
export function brunoFiles(folders: readonly RequestFolder[]): Record<string, string> {
  const requests = folders.flatMap(({ name, requests }) =>
    requests.map((request, index): [string, string] => [
      `${name}/${request.name}.bru`,
      requestFile(request, index + 1),
    ]),
  );
  return {
    'bruno.json': manifest(),
    'collection.bru': collectionFile(),
    'environments/Sandbox.bru': block(
      'vars',
      Object.entries(variables).map(([name, value]) => `${name}: ${value}`),
    ),
    ...Object.fromEntries(
      folders.map((folder, index) => [`${folder.name}/folder.bru`, folderFile(folder, index + 1)]),
    ),
    ...Object.fromEntries(requests),
  };
}
