import { createHash } from 'node:crypto';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

export const paymentSignature = (
  apiKey: string,
  { merchantCode, orderId, amount }: { merchantCode: string; orderId: string; amount: number },
): string => md5(`${merchantCode}${orderId}${amount}${apiKey}`);

export const statusSignature = (
  apiKey: string,
  { merchantCode, orderId }: { merchantCode: string; orderId: string },
): string => md5(`${merchantCode}${orderId}${apiKey}`);

/**
 * Returns the signature of a callback. Its parts have a different order than in the signature of a new payment, and it covers neither the
 * result nor the reference. `amount` is the text as sent.
 */
export const callbackSignature = (
  apiKey: string,
  { merchantCode, orderId, amount }: { merchantCode: string; orderId: string; amount: string },
): string => md5(`${merchantCode}${amount}${orderId}${apiKey}`);

/** Returns the signature of a request for the payment methods. `datetime` is a string such as `2026-05-01 12:00:00`. */
export const methodsSignature = (
  apiKey: string,
  { merchantCode, amount, datetime }: { merchantCode: string; amount: number; datetime: string },
): string => createHash('sha256').update(`${merchantCode}${amount}${datetime}${apiKey}`).digest('hex');
