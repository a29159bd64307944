/** One setting of the server, as its environment variable and the flag of the same meaning. */
export interface Variable<Value> {
  name: string;
  flag: string;
  /** What the setting is for, in help and documentation. */
  purpose: string;
  /** What the setting takes, as it ends the sentence "PORT takes ...". */
  takes: string;
  /** The value of a text; undefined when the text is none. */
  read: (text: string) => Value | undefined;
  /** What holds when nothing is set: a text that `read` reads, or in words what is made of having none. */
  otherwise: { text: string } | { words: string };
}

/** A setting that the server can't start with; its message is one line that names the setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** The flag or variable whose value it doesn't take; undefined where something else is in the way. */
  readonly setting: string | undefined;

  constructor(message: string, { setting, ...options }: ErrorOptions & { setting?: string } = {}) {
    super(message, options);
    this.setting = setting;
  }
}
