import { createHash } from 'node:crypto';

/** Returns a notification's `signature_key`. `grossAmount` is the notification's text, such as `100000.00`, never a formatted number. */
export const notificationSignature = (
  serverKey: string,
  { orderId, statusCode, grossAmount }: { orderId: string; statusCode: string; grossAmount: string },
): string => createHash('sha512').update(`${orderId}${statusCode}${grossAmount}${serverKey}`).digest('hex');
