import type { PaymentGroup } from '../contract/index.ts';
import { type Clock, type Random, randomText } from '../platform/index.ts';
import { emvQr } from './emv-qr.ts';
import type { LocalGateway, PaymentRequest } from './gateway.ts';

const digits = '0123456789';
const referenceAlphabet = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** The longest reference label of an EMV QR code. */
const labelLength = 25;

/** The first digits of each bank's virtual account numbers, and how many digits they have in all. */
const virtualAccounts: Record<string, { prefix: string; length: number }> = {
  BRIVA: { prefix: '77777', length: 18 },
  BNIVA: { prefix: '8578', length: 16 },
  MANDIRIVA: { prefix: '70012', length: 16 },
  BCAVA: { prefix: '39010', length: 16 },
};
const otherVirtualAccount = { prefix: '99001', length: 16 };

/** The account that bank transfers of a sandbox go to; their totals tell them apart. */
const bankAccount = '1234567890';

/**
 * A gateway that only plays: its codes have the shape of real ones, and nobody can pay to them.
 * `pageUrl` gives the page on which the payment of a reference is made.
 */
export function createSimulatedGateway(deps: {
  /** World time in unix milliseconds. */
  clock: Clock;
  random: Random;
  pageUrl: (reference: string) => string;
}): LocalGateway {
  const { clock, random, pageUrl } = deps;
  const digitsAfter = (prefix: string, length: number): string =>
    prefix + randomText(random, digits, length - prefix.length);

  const codes: Record<PaymentGroup, (request: PaymentRequest, reference: string) => string> = {
    QRIS: ({ amount }, reference) => emvQr({ amount, reference: reference.slice(-labelLength) }),
    'Virtual Account': ({ method }) => {
      const { prefix, length } = virtualAccounts[method.code] ?? otherVirtualAccount;
      return digitsAfter(prefix, length);
    },
    Retail: () => digitsAfter('', 13),
    'E-Wallet': (_request, reference) => pageUrl(reference),
    'Bank Transfer': () => bankAccount,
  };

  return {
    kind: 'local',
    name: 'simulated',
    sandbox: true,
    createPayment(request) {
      // Begun with the time, references of one day lie side by side in a store's index. The 22 characters of 34
      // after it are 111 bits: a payment page shows itself to whoever knows its reference.
      const time = clock().toString(36).toUpperCase().padStart(9, '0');
      const reference = `SIM${time}${randomText(random, referenceAlphabet, 22)}`;
      const code = codes[request.method.group](request, reference);
      return {
        reference,
        code,
        url: pageUrl(reference),
        qrString: request.method.group === 'QRIS' ? code : null,
      };
    },
  };
}
