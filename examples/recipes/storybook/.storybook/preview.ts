import type { Preview } from '@storybook/react-vite';
import { mswLoader } from 'msw-storybook-addon/csf3';
import { mock } from '../src/mock.ts';

/** A worker that has the mock's handlers by itself, so that those of a story's `parameters.msw` come on top. */
async function startWorker() {
  const worker = await mock.worker();
  await worker.start({ quiet: true, onUnhandledFrame: 'bypass' });
  return worker;
}

const preview: Preview = { loaders: [mswLoader(startWorker)] };

export default preview;
