import { type Flags, type Setting, settings, type Variable, variables } from '@topup-kit/server';
import { Option } from 'commander';

/** Secrets have no place on a command line, where every user of the machine reads them. */
const secret: Setting = 'apiKey';
const flagged = settings.filter((setting) => setting !== secret);

const otherwise = ({ otherwise: value }: Variable<unknown>): string =>
  'text' in value ? value.text : value.words;

function optionFor(setting: Setting): Option {
  const variable: Variable<unknown> = variables[setting];
  const { flag, purpose, name } = variable;
  return new Option(`${flag} <value>`, `${purpose} (${name}; default: ${otherwise(variable)})`);
}

/** A flag for each of the server's settings. */
export const flagOptions: readonly Option[] = flagged.map(optionFor);

/** The settings that were given on the command line; the server reads and checks them. */
export function readFlags(options: Readonly<Record<string, string | true>>): Flags {
  const given = flagged.flatMap((setting) => {
    const value = options[optionFor(setting).attributeName()];
    return typeof value === 'string' ? [[setting, value] as const] : [];
  });
  return { ...(options.sandbox === true && { mode: 'sandbox' }), ...Object.fromEntries(given) };
}
