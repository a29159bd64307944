import type { ConformanceCase, Topic } from '../case.ts';
import { extensionTopics } from './extension/index.ts';
import { interfaceTopics } from './interface/index.ts';

const from = (origin: ConformanceCase['origin'], topics: Record<string, Topic>): ConformanceCase[] =>
  Object.entries(topics).flatMap(([topic, cases]) =>
    cases.map((one) => ({ ...one, origin, name: `${topic}: ${one.name}` })),
  );

/**
 * The contract as runnable cases: what the interface promises, then what the open points add.
 *
 * @example
 * for (const one of conformanceCases) it(one.name, async () => void (await runCase(one, target)));
 */
export const conformanceCases: readonly ConformanceCase[] = [
  ...from('interface', interfaceTopics),
  ...from('extension', extensionTopics),
];
