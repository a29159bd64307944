const page = "a mock shows no page: its payment_url is the app's to choose";

/** Where a mock falls short of a server: the cases that fail there, and why. */
export const mockGaps: Record<string, string> = {
  'keys (extension): the payment page opens without a key, and shows no phone and no e-mail': page,
};
