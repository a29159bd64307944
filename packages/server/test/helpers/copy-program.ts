/** Copies the store file FROM to the database TO, or back, and prints a line for each report of its progress. */
import { copyStore } from '../../src/index.ts';

const { FROM = '', TO = '' } = process.env;
const addressOf = (text: string) =>
  text.startsWith('postgres:')
    ? ({ kind: 'postgres', url: text } as const)
    : ({ kind: 'file', path: text } as const);

const { resumed } = await copyStore(addressOf(FROM), addressOf(TO), {
  onProgress: ({ step, done, total }) => process.stdout.write(`${step} ${done} ${total}\n`),
});
process.stdout.write(`${resumed ? 'resumed' : 'copied'}\n`);
