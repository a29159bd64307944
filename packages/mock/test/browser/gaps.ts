const page = 'a mock has no payment page: the app chooses the payment_url';

/** The differences between a mock and a server: the cases that fail with a mock, and why. */
export const mockGaps: Record<string, string> = {
  'keys (extension): the payment page opens without a key, and shows no phone and no e-mail': page,
};
