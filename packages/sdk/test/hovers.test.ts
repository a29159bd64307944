import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, expect, it } from 'vitest';
import { compilerOptions } from '../scripts/api/program.ts';

const code = `
import { type BuyStatus, createTopupClient, type PaymentMethod, buyStatuses } from '@topup-kit/sdk';
const client = createTopupClient({ baseUrl: 'http://shop.test/api' });
declare const id: string;
const created = await client.orders.create({} as never);
const { data: order } = created;
const { pricing } = order;
const { order: invoice } = await client.invoices.get(id);
const [game] = (await client.games.list()).games;
const { data: detail } = await client.games.get(id);
const [product] = detail.products;
const { data: state } = await client.invoices.paymentStatus(id);
const { data: promo } = await client.promos.validate({} as never);
const method = {} as PaymentMethod;
const end = await client.orders.waitFor(id);
end.outcome; end.state; client.orders; order.buy_status; state.payment_status; method.group; invoice.price; pricing.unique_code; buyStatuses;
let status: BuyStatus;
`;

const path = fileURLToPath(new URL('./hovered.ts', import.meta.url));
let service: ts.LanguageService;

beforeAll(() => {
  const files = (name: string): string | undefined => (name === path ? code : ts.sys.readFile(name));
  service = ts.createLanguageService({
    getCompilationSettings: compilerOptions,
    getScriptFileNames: () => [path],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = files(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => fileURLToPath(new URL('../../../', import.meta.url)),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => files(name) !== undefined,
    readFile: files,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath ?? ((name) => name),
  });
  service.getSemanticDiagnostics(path);
}, 60_000);

/** What an editor shows for the last place of a text in the code. */
function hover(text: string): { type: string; doc: string } {
  const info = service.getQuickInfoAtPosition(path, code.lastIndexOf(text) + text.length - 1);
  return {
    type: ts.displayPartsToString(info?.displayParts),
    doc: ts.displayPartsToString(info?.documentation),
  };
}

it.each([
  ['const created', 'CreatedOrder'],
  ['data: order', 'Order'],
  ['{ pricing', 'Pricing'],
  ['order: invoice', 'InvoiceOrder'],
  ['[game', 'GameWithCategory'],
  ['data: detail', 'GameDetail'],
  ['[product', 'Product'],
  ['data: state', 'PaymentState'],
  ['data: promo', 'PromoValidation'],
  ['order.buy_status', 'BuyStatus'],
  ['state.payment_status', 'PaymentStatus'],
  ['method.group', 'PaymentGroup'],
  ['const end', 'FinalResult'],
])('shows the type of %s in an editor as %s', (text, type) => {
  expect(hover(text).type).toMatch(new RegExp(`: ${type}( \\| undefined)?$`));
});

it.each([
  ['let status: BuyStatus', /Gagal.*failed/s],
  ['let status: BuyStatus', /Pending.*Proses.*Sukses.*Batal/s],
  ['buyStatuses', /Gagal.*failed/s],
  ['order.buy_status', /Proses.*Sukses.*Gagal/s],
  ['state.payment_status', /State of the payment/],
  ['end.outcome', /delivered.*delivery_failed.*not delivered.*expired.*payment_failed.*refunded/s],
  ['end.state', /ended the wait/],
  ['client.orders', /waitFor/],
  ['invoice.price', /after the promo/],
  ['pricing.unique_code', /bank transfer/],
])('explains %s in an editor: %s', (text, doc) => {
  expect(hover(text).doc).toMatch(doc);
});
