import type { Answers } from '../../answers.ts';
import { catalogExamples } from './catalog.ts';
import { orderExamples } from './order.ts';

/**
 * What the sandbox answers to the examples of the route table, shortened where it is long; a test holds them to that.
 * They are kept out of that table, which travels with the mock to browsers.
 */
export const answerExamples: Answers = { ...catalogExamples, ...orderExamples };
