const localNames = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i;

/** Whether a URL's host name is one of this machine for itself. */
export const isLocalName = (hostname: string): boolean => localNames.test(hostname);
