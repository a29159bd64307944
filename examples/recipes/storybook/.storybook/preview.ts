import type { Preview } from '@storybook/react-vite';
import { mswLoader } from 'msw-storybook-addon/csf3';
import { mock } from '../src/mock.ts';

/** The addon's own worker still has the strict mode of MSW 2, and would know no handlers of the mock. */
async function startWorker() {
  const worker = await mock.worker();
  await worker.start({ quiet: true, onUnhandledFrame: 'bypass' });
  return worker;
}

const preview: Preview = { loaders: [mswLoader(startWorker)] };

export default preview;
