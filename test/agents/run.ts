import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Argument, Command } from '@commander-js/extra-typings';
import { tarballOf } from '../../scripts/pack.ts';
import { prepareTask, taskNames, tasks } from './tasks.ts';

const packed = join(import.meta.dirname, '../../packed');
const task = () => new Argument('<task>', 'what to write').choices(taskNames);
const program = new Command('agents').description('Gives tasks to an assistant, and judges the results.');

program
  .command('prepare')
  .description('fills an empty folder with a task and the packages of `packed`')
  .addArgument(task())
  .argument('<folder>')
  .action(async (name, path) => {
    const folder = resolve(path);
    if (existsSync(folder) && (await readdir(folder)).length > 0) program.error(`${folder} is not empty.`);
    if (!existsSync(join(packed, tarballOf('sdk'))))
      program.error('Pack the packages first: npx -y pnpm@12 pack:all');
    await prepareTask(name, folder, (each) => join(packed, tarballOf(each)));
    process.stdout.write(`Let an assistant work in ${folder}, with TASK.md. Then judge it.\n`);
  });

program
  .command('judge')
  .description('runs the hidden test of a task in a folder')
  .addArgument(task())
  .argument('<folder>')
  .action(async (name, folder) => {
    try {
      await tasks[name](resolve(folder));
      process.stdout.write(`${name}: passed\n`);
    } catch (error) {
      program.error(`${name}: failed. ${error instanceof Error ? error.message : error}`);
    }
  });

await program.parseAsync();
