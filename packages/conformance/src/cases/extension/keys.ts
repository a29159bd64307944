import { expectError, expectThat, invoiceNotFound, nonexistent, unauthorized } from '../../assertions.ts';
import { ConformanceFailure, ConformanceSkip, type SpecReference } from '../../failure.ts';
import { placeOrder } from '../../orders.ts';
import { getOf, type Probe, reads, type Topic, writes } from '../../probe.ts';

const wrong: SpecReference = 'open-points Errors/key-missing-or-wrong';
const everywhere: SpecReference = 'open-points Routes/Everything-else-needs-X-API-KEY';
const keyless: SpecReference = 'open-points Routes/These-need-no-key-callbacks-the';
const anothers: SpecReference = 'open-points Errors/invoice-not-found-or-another-account';

function expectPictureIn(response: Response, url: string): void {
  const type = response.headers.get('Content-Type') ?? 'no type';
  if (response.ok && type.startsWith('image/')) return;
  const received = `${response.status}, ${type}`;
  throw new ConformanceFailure(
    { request: `GET ${url}`, expected: 'a picture', received, by: keyless },
    getOf(url),
  );
}

const expectPicture = async (probe: Probe, url: string): Promise<void> =>
  expectPictureIn(await probe.open(url), url);

export const keyCases: Topic = {
  'every route that reads responds with 401 Unauthorized without a key and with a wrong one': reads(
    [wrong, everywhere, 'interface 5/Every-public-route-catalogue-order-creation'],
    async ({ get, fixture }) => {
      const { game } = fixture.order;
      const invoice = `/invoice/${nonexistent.orderId}`;
      const paths = ['/games', `/games/${game}`, `/games/${nonexistent.game}`, `/order/${game}`];
      for (const path of [...paths, invoice, `${invoice}/payment-status`])
        for (const key of [null, 'wrong'])
          expectError(await get(path, { 'X-API-KEY': key }), unauthorized, wrong);
    },
  ),
  'POST /order responds with 401 Unauthorized before it reads the body': writes(
    [wrong, 'open-points Errors/Order-of-checks-on-POST-order'],
    async ({ send }) => {
      for (const body of ['{}', 'not JSON', ' '.repeat(70_000)])
        for (const key of [null, 'wrong']) {
          const headers = { 'Content-Type': 'application/json', 'X-API-KEY': key };
          expectError(await send('POST', '/order', { body, headers }), unauthorized, wrong);
        }
    },
  ),
  "another account's invoice is not found, in the same words as one that does not exist": writes(
    [anothers],
    async (probe) => {
      if (probe.otherApiKey === undefined) throw new ConformanceSkip('the target has no otherApiKey');
      const { order } = await placeOrder(probe);
      for (const suffix of ['', '/payment-status']) {
        const others = { 'X-API-KEY': probe.otherApiKey };
        const response = await probe.get(`/invoice/${order.order_id}${suffix}`, others);
        expectError(response, invoiceNotFound, anothers);
        const none = await probe.get(`/invoice/${nonexistent.orderId}${suffix}`, others);
        expectThat(none.text === response.text, response, '', none.text, anothers);
      }
    },
  ),
  'the pictures of the games open without a key': reads([keyless], async (probe) => {
    const response = await probe.get(`/games/${probe.fixture.order.game}`);
    const urls = [...response.text.matchAll(/"(?:image|banner|logo)":"([^"]+)"/g)].map(
      ([, url]) => url ?? '',
    );
    for (const url of new Set(urls)) await expectPicture(probe, url);
  }),
  'the pictures of the payment methods open without a key': reads([keyless], async (probe) => {
    const response = await probe.get(`/order/${probe.fixture.order.game}`);
    const urls = [...response.text.matchAll(/"images":"([^"]+)"/g)].map(([, url]) => url ?? '');
    for (const url of urls) await expectPicture(probe, url);
  }),
  'the QR of an order opens without a key': writes([keyless], async (probe) => {
    const { order } = await placeOrder(probe);
    if (order.qr_url === null) throw new ConformanceSkip("the fixture's payment method has no QR");
    expectPictureIn(await probe.openOwn(order.qr_url), order.qr_url);
  }),
  'the payment page opens without a key, and shows no phone and no e-mail': writes(
    [keyless],
    async (probe) => {
      const email = 'someone.private@example.com';
      const { order } = await placeOrder(probe, { email });
      const request = `GET ${order.payment_url}`;
      const sent = getOf(order.payment_url);
      const response = await probe.openOwn(order.payment_url);
      const received = `${response.status}, ${response.headers.get('Content-Type')}`;
      if (response.status !== 200 || !/text\/html/.test(received))
        throw new ConformanceFailure({ request, expected: 'a page', received, by: keyless }, sent);
      const page = await response.text();
      const shown = [email, probe.fixture.order.whatsapp].find((secret) => page.includes(secret));
      if (shown !== undefined)
        throw new ConformanceFailure(
          { request, expected: 'no phone and no e-mail', received: shown, by: keyless },
          sent,
        );
    },
  ),
};
