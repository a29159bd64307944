import { STATUS_CODES } from 'node:http';
import { headers } from '@topup-kit/core/contract';
import {
  type CollectionRequest,
  collectionDescription,
  collectionName,
  type ExampleResponse,
  orderVariable,
  type RequestFolder,
  type RequestValue,
  variables,
} from './requests.ts';

const keyed = ({ name, value, optional }: RequestValue) => ({
  key: name,
  value,
  ...(optional && { disabled: true }),
});

const json = (body: unknown) => ({
  mode: 'raw',
  raw: JSON.stringify(body, null, 2),
  options: { raw: { language: 'json' } },
});

const contentType: RequestValue = { name: 'Content-Type', value: 'application/json', optional: false };
const accept: RequestValue = { name: 'Accept', value: 'application/json', optional: false };

function addressOf({ base, path, query, pathValues }: CollectionRequest) {
  const sent = query.filter(({ optional }) => !optional).map(({ name, value }) => `${name}=${value}`);
  return {
    raw: `{{${base}}}${path}${sent.length === 0 ? '' : `?${sent.join('&')}`}`,
    host: [`{{${base}}}`],
    path: path.slice(1).split('/'),
    ...(query.length > 0 && { query: query.map(keyed) }),
    ...(pathValues.length > 0 && { variable: pathValues.map(keyed) }),
  };
}

const requestOf = (request: CollectionRequest) => ({
  method: request.method,
  header: [accept, ...(request.body === undefined ? [] : [contentType]), ...request.headers].map(keyed),
  url: addressOf(request),
  ...(request.body !== undefined && { body: json(request.body) }),
});

const responseOf = (request: CollectionRequest, { name, status, headers, body }: ExampleResponse) => ({
  name: name === 'sandbox' ? 'Success' : name,
  originalRequest: requestOf(request),
  status: STATUS_CODES[status] ?? '',
  code: status,
  _postman_previewlanguage: 'json',
  header: Object.entries(headers).map(([key, value]) => ({ key, value })),
  body: JSON.stringify(body, null, 2),
});

/** Creates the script that checks the response, and stores the order's id. */
function checksOf({ status, expected, placesOrder }: CollectionRequest): string[] {
  return [
    'const body = pm.response.json();',
    `pm.test('status ${status}', () => pm.response.to.have.status(${status}));`,
    ...expected.map(({ path, equals }) =>
      equals === undefined
        ? `pm.test('has ${path}', () => pm.expect(body).to.have.nested.property('${path}'));`
        : `pm.test('${path} is ${equals}', () => pm.expect(body).to.have.nested.property('${path}', ${JSON.stringify(equals)}));`,
    ),
    ...(placesOrder ? [`pm.collectionVariables.set('${orderVariable}', body.orderId);`] : []),
  ];
}

const itemOf = (request: CollectionRequest) => ({
  name: request.name,
  request: { ...requestOf(request), description: request.description },
  response: request.examples.map((example) => responseOf(request, example)),
  event: [{ listen: 'test', script: { type: 'text/javascript', exec: checksOf(request) } }],
});

/** Creates a Postman collection (v2.1), with an example of each response that an operation documents. */
export function postmanCollection(folders: readonly RequestFolder[]): string {
  const collection = {
    info: {
      name: collectionName,
      description: collectionDescription,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: folders.map(({ name, description, requests }) => ({
      name,
      description,
      item: requests.map(itemOf),
    })),
    auth: {
      type: 'apikey',
      apikey: Object.entries({ key: headers.apiKey, value: '{{apiKey}}', in: 'header' }).map(
        ([key, value]) => ({
          key,
          value,
          type: 'string',
        }),
      ),
    },
    variable: Object.entries({ ...variables, [orderVariable]: '' }).map(([key, value]) => ({ key, value })),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}
