import type { http as MswHttp } from 'msw';

// Replaces msw.ts in the CommonJS build. MSW 3 is an ES module, which not every `require` can load (Jest's can't), so
// it is required on first use: everything except the MSW handlers works without it.

declare const require: (entry: string) => unknown;

function load<Module>(entry: string): Module {
  try {
    // Safe: each caller names the type of the entry.
    return require(entry) as Module;
  } catch (cause) {
    throw new Error(
      `require('${entry}') failed, and the mock's MSW handlers need it. If msw is not installed: npm install --save-dev msw. MSW 3 is an ES module, and parts of MSW 2 are: Node loads them by require from 22.12 on, Jest from Node 24.9 on with NODE_OPTIONS=--experimental-vm-modules. mock.fetch works without MSW.`,
      { cause },
    );
  }
}

const loadHttp = (): typeof MswHttp => load<typeof import('msw')>('msw').http;

export const http: Pick<typeof MswHttp, 'all' | 'get' | 'post'> = {
  all: (...args) => loadHttp().all(...args),
  get: (...args) => loadHttp().get(...args),
  post: (...args) => loadHttp().post(...args),
};

export const importMswNode = async (): Promise<typeof import('msw/node')> => load('msw/node');

export const importMswBrowser = async (): Promise<typeof import('msw/browser')> => load('msw/browser');
