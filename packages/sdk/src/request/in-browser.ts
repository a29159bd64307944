/** Whether this is a browser, a worker of one included; a browser imitated for tests (jsdom) is none. */
export const inBrowser = (): boolean =>
  /^Mozilla\/(?!.*(jsdom|HappyDOM))/.test(globalThis.navigator?.userAgent ?? '');
