/**
 * A phone number as the limits per customer count it: digits alone, with the country code of Indonesia in place of
 * a leading zero, so that `0812-3456-7890`, `+62 0812 3456 7890` and `6281234567890` are one customer.
 */
export function customerOf(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  if (digits === '') return phone;
  return digits.replace(/^(620|0)/, '62');
}
