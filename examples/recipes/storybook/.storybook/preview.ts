import type { Preview } from '@storybook/react-vite';
import { mswLoader } from 'msw-storybook-addon/csf3';
import { mock } from '../src/mock.ts';

/** Starts a worker that already has the mock's handlers, so that the handlers in a story's `parameters.msw` come first. */
async function startWorker() {
  const worker = await mock.worker();
  await worker.start({ quiet: true, onUnhandledFrame: 'bypass' });
  return worker;
}

const preview: Preview = { loaders: [mswLoader(startWorker)] };

export default preview;
