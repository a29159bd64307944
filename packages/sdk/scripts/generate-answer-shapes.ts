import { writeFile } from 'node:fs/promises';
import { answerShapesSource } from './answer-shapes.ts';

await writeFile(new URL('../src/validation/answer-shapes.ts', import.meta.url), answerShapesSource());
