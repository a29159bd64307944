import { Argument } from '@commander-js/extra-typings';
import { bashScript, fishScript, zshScript } from '../completion/shells.ts';
import { defineCommand } from '../define-command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

const scripts: Record<(typeof shells)[number], string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

const help = (program: string): string => `For this shell session:
  bash  source <(${program} completion bash)
  zsh   source <(${program} completion zsh)
  fish  ${program} completion fish | source

For every session:
  bash  echo 'source <(${program} completion bash)' >> ~/.bashrc
  zsh   echo 'source <(${program} completion zsh)' >> ~/.zshrc
  fish  ${program} completion fish > ~/.config/fish/completions/topup.fish

It completes commands, flags and their values, the service's games, products and
payment methods, and the orders, promos and keys of the local store.`;

export const noun = defineCommand({
  build: (command) => command.addArgument(new Argument('<shell>', 'the shell that you use').choices(shells)),
  help,
  example: 'completion bash',
  async run({ io }, _options, shell) {
    await io.stdout.write(scripts[shell]);
  },
});
