/**
 * Masks the user name and password in a URL; in the address of a database also when they are not written as they should be.
 *
 * @example
 * maskCredentials('postgres://topup:secret@db/shop'); // 'postgres://****@db/shop'
 */
export const maskCredentials = (url: string): string =>
  /^(https?|file):/i.test(url)
    ? url.replace(/^(\w+:\/\/)[^/?#]*@/, '$1****@')
    : url
        .replace(/^(\w+:\/\/)?.*@/s, '$1****@')
        .replace(/([?&]password=).*/is, '$1****')
        .replace(/^(postgres\w*:?\/\/)[^@/]*:(?!\d+\/)[^@]*$/is, '$1****');
