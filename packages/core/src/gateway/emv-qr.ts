/** CRC-16/CCITT-FALSE, as EMV QR codes end with. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const character of text) {
    crc ^= character.charCodeAt(0) << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
    crc &= 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

const field = (tag: string, value: string): string =>
  `${tag}${String(value.length).padStart(2, '0')}${value}`;

/** A merchant number that belongs to nobody. */
const merchant = '20260000001';

/**
 * What a dynamic QRIS code says: an EMV merchant-presented QR for one amount in rupiah, with its checksum.
 *
 * @example
 * emvQr({ amount: 40000, reference: 'SIM0123' }); // '000201010212...5303360540540000...6304ABCD'
 */
export function emvQr({ amount, reference }: { amount: number; reference: string }): string {
  const body = [
    field('00', '01'),
    field('01', '12'),
    field(
      '26',
      field('00', 'ID.TOPUPKIT.WWW') + field('01', merchant) + field('02', merchant) + field('03', 'UMI'),
    ),
    field('51', field('00', 'ID.CO.QRIS.WWW') + field('02', `ID10${merchant}`) + field('03', 'UMI')),
    field('52', '5816'),
    field('53', '360'),
    field('54', String(amount)),
    field('58', 'ID'),
    field('59', 'TOPUP KIT SANDBOX'),
    field('60', 'JAKARTA'),
    field('62', field('05', reference)),
    '6304',
  ].join('');
  return body + crc16(body);
}
