import { Argument } from 'commander';
import { bashScript } from '../../completion/bash.ts';
import { fishScript } from '../../completion/fish.ts';
import { zshScript } from '../../completion/zsh.ts';
import type { Define } from '../../define-command.ts';
import { type Io, programName } from '../../io.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

const scripts: Record<Shell, string> = { bash: bashScript, zsh: zshScript, fish: fishScript };

const help = (program: string): string => `
Now, in this shell alone:
  bash  source <(${program} completion bash)
  zsh   source <(${program} completion zsh)
  fish  ${program} completion fish | source

For good:
  bash  echo 'source <(${program} completion bash)' >> ~/.bashrc
  zsh   echo 'source <(${program} completion zsh)' >> ~/.zshrc
  fish  ${program} completion fish > ~/.config/fish/completions/topup.fish

It completes commands, flags and their values, the games, products and ways to
pay of the service, and the orders, promos and keys of the store here.

Example:
  ${program} completion bash`;

export const defineCompletion: Define = (completion, io: Io) => {
  completion
    .addArgument(new Argument('<shell>', 'the shell that you use').choices(shells))
    .action(async (shell: Shell) => {
      await io.stdout.write(scripts[shell]);
    })
    .addHelpText('after', () => help(programName(io)));
};
