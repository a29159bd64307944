/**
 * CRC-16/CCITT-FALSE: polynomial 1021, initial value FFFF, nothing reflected; four upper-case hex digits.
 * Written anew here, because a mistake shared with the gateway would go unseen.
 */
export function checksum(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

/** The fields of an EMV QR: two digits of tag, two of length, the value; undefined when it isn't built so. */
export function readEmvQr(text: string): Map<string, string> | undefined {
  const fields = new Map<string, string>();
  let rest = text;
  while (rest !== '') {
    const [, tag, length] = /^(\d\d)(\d\d)/.exec(rest) ?? [];
    if (tag === undefined || rest.length < 4 + Number(length)) return undefined;
    fields.set(tag, rest.slice(4, 4 + Number(length)));
    rest = rest.slice(4 + Number(length));
  }
  return fields;
}
