import { Argument, type Command } from 'commander';
import { profileToChange } from '../../config/edit.ts';
import { type ProfileSetting, profileSettings } from '../../config/file.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, asksNoService, type Define } from '../../define-command.ts';
import { usageProblem } from '../../errors/cli-error.ts';
import { createPrompts } from '../../input/prompts.ts';
import { askKey, readSecret } from '../../input/secret.ts';
import { programName } from '../../io.ts';
import { changeSetting } from './change.ts';
import { checkValue } from './check-value.ts';

interface Options {
  fromFile?: string;
}

/** Every user of the machine sees command lines, and the shell keeps them. */
const keyOnCommandLine = (program: string) =>
  usageProblem(
    'A key has no place on a command line, where others can read it.',
    `Nothing was kept; if that was a key in use, think of making a new one. Keep one with\n  ${program} login\nor from a file, - for stdin:\n  ${program} config set api_key --from-file <file>`,
  );

const keyMissing = (program: string) =>
  usageProblem(
    'config set api_key takes the key from a file, and at a terminal asks for it.',
    `From a file, - for stdin:\n  ${program} config set api_key --from-file <file>`,
  );

/** From the file, or from whoever sits at the terminal. */
async function readKey(file: string | undefined, context: CommandContext): Promise<string> {
  const { name, settings } = profileToChange(context);
  if (settings.base_url === undefined)
    throw usageProblem(
      `Profile ${name} sets no base_url, and a key is for one service alone.`,
      'Set its base_url first, or use `topup login`, which keeps both.',
    );
  if (file !== undefined) return readSecret(context.io, file, '--from-file');
  const terminal = context.promptTerminal;
  if (!terminal) throw keyMissing(programName(context.io));
  return askKey(await createPrompts(context.io, terminal));
}

async function setSetting(
  name: ProfileSetting,
  value: string | undefined,
  { fromFile }: Options,
  context: CommandContext,
): Promise<void> {
  if (name === 'api_key') {
    if (value !== undefined) throw keyOnCommandLine(programName(context.io));
    return changeSetting(context, { name, value: await readKey(fromFile, context) });
  }
  if (fromFile !== undefined) throw usageProblem('--from-file is for api_key alone.');
  if (value === undefined) throw usageProblem(`config set ${name} takes a value.`);
  return changeSetting(context, { name, value: checkValue(name, value) });
}

export const defineSet: Define = (config, io) => {
  const command = config
    .command('set')
    .description('Give a setting of the profile a value; --profile names the profile, a new one too')
    .addArgument(new Argument('<setting>', 'the setting').choices(profileSettings))
    .argument('[value]', 'its value; a key is never given here')
    .option('--from-file <file>', 'file with the api_key, - for stdin')
    .action((name: ProfileSetting, value: string | undefined, options: Options, self: Command) =>
      setSetting(name, value, options, contextOf(io, self)),
    );
  addExample(asksNoService(command), io, 'config set base_url https://shop.example/api --profile shop');
};
