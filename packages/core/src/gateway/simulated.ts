import { type PaymentCodeKind, paymentKinds } from '../contract/index.ts';
import { type Clock, type RandomBytes, randomText } from '../platform/index.ts';
import type { LocalGateway, PaymentRequest } from './gateway.ts';

/** The effect of each byte on the checksum. Computing the checksum bit by bit would take a noticeable part of an order's time. */
const crcOfByte = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

/** Computes CRC-16/CCITT-FALSE of an ASCII string, the checksum at the end of an EMV QR code. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (let index = 0; index < text.length; index += 1)
    crc = ((crc << 8) & 0xffff) ^ (crcOfByte[(crc >> 8) ^ text.charCodeAt(index)] ?? 0);
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

const field = (tag: string, value: string): string =>
  `${tag}${String(value.length).padStart(2, '0')}${value}`;

/** An unassigned merchant number. */
const merchant = '20260000001';

const beforeAmount = [
  field('00', '01'),
  field('01', '12'),
  field(
    '26',
    field('00', 'ID.TOPUPKIT.WWW') + field('01', merchant) + field('02', merchant) + field('03', 'UMI'),
  ),
  field('51', field('00', 'ID.CO.QRIS.WWW') + field('02', `ID10${merchant}`) + field('03', 'UMI')),
  field('52', '5816'),
  field('53', '360'),
].join('');
const afterAmount = field('58', 'ID') + field('59', 'TOPUP KIT SANDBOX') + field('60', 'JAKARTA');

/**
 * Creates the text of a dynamic QRIS code: an EMV merchant-presented QR for one amount in rupiah, with its checksum.
 *
 * @example
 * emvQr({ amount: 40000, reference: 'SIM0123' }); // '000201010212...5303360540540000...6304ABCD'
 */
export function emvQr({ amount, reference }: { amount: number; reference: string }): string {
  const label = field('62', field('05', reference));
  const code = `${beforeAmount}${field('54', String(amount))}${afterAmount}${label}6304`;
  return code + crc16(code);
}

const digits = '0123456789';
const referenceAlphabet = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Maximum length of the reference label of an EMV QR code. */
const labelLength = 25;

/** The prefix and the total length of each bank's virtual account numbers. */
const virtualAccounts: ReadonlyMap<string, { prefix: string; length: number }> = new Map(
  Object.entries<{ prefix: string; length: number }>({
    BRIVA: { prefix: '77777', length: 18 },
    BNIVA: { prefix: '8578', length: 16 },
    MANDIRIVA: { prefix: '70012', length: 16 },
    BCAVA: { prefix: '39010', length: 16 },
  }),
);
const otherVirtualAccount = { prefix: '99001', length: 16 };

/** The account number for all bank transfers of a sandbox. Orders are distinguished by their totals. */
const bankAccount = '1234567890';

/** Creates a gateway for the sandbox. Its codes have real formats but can't be paid. `pageUrl` returns a reference's payment page. */
export function createSimulatedGateway(deps: {
  /** World time in unix milliseconds. */
  clock: Clock;
  random: RandomBytes;
  pageUrl: (reference: string) => string;
}): LocalGateway {
  const { clock, random, pageUrl } = deps;
  const digitsAfter = (prefix: string, length: number): string =>
    prefix + randomText(random, digits, length - prefix.length);

  const codes: Record<PaymentCodeKind, (request: PaymentRequest, reference: string) => string> = {
    'qr-text': ({ amount }, reference) => emvQr({ amount, reference: reference.slice(-labelLength) }),
    'virtual-account-number': ({ method }) => {
      const { prefix, length } = virtualAccounts.get(method.code) ?? otherVirtualAccount;
      return digitsAfter(prefix, length);
    },
    'shop-code': () => digitsAfter('', 13),
    'page-url': (_request, reference) => pageUrl(reference),
    'bank-account-number': () => bankAccount,
  };

  return {
    kind: 'local',
    name: 'simulated',
    sandbox: true,
    createPayment(request) {
      // The time comes first, so that new references are together in a store's index. The 22 random characters (111
      // bits) make the reference unguessable, because anyone who knows it can open the payment page.
      const time = clock().toString(36).toUpperCase().padStart(9, '0');
      const reference = `SIM${time}${randomText(random, referenceAlphabet, 22)}`;
      const kind = paymentKinds[request.method.group];
      const code = codes[kind.code](request, reference);
      return {
        reference,
        code,
        url: pageUrl(reference),
        qrString: kind.showsQr ? code : null,
      };
    },
  };
}
