/** `INV-<timestamp digits>-<8 uppercase letters>` (interface 2.3). */
export const orderIdPattern: RegExp = /^INV-\d+-[A-Z]{8}$/;
