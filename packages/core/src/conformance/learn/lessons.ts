import { type DialectChanges, kitDialect } from '../../contract/index.ts';

/** Entries that hold entries of their own. */
type Group = 'routes' | 'errorBodies' | 'headers' | 'paymentStatuses' | 'buyStatuses' | 'expiryMinutes';

/** What was learned of a dialect so far. What could not be told is learned as undefined, and forgotten. */
export interface Lessons {
  dialect: DialectChanges;
  learn<Entry extends Exclude<keyof DialectChanges, Group>>(entry: Entry, value: DialectChanges[Entry]): void;
  learnIn<Entry extends Group>(entry: Entry, values: DialectChanges[Entry]): void;
  /** The entries that nothing was learned of, such as `errorBodies.rateLimited`. */
  unknown(): string[];
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The names of a dialect's entries, those within a group as `group.name`. */
const namesOf = (dialect: DialectChanges): string[] =>
  Object.entries(dialect).flatMap(([entry, value]) =>
    isGroup(value) ? Object.keys(value).map((name) => `${entry}.${name}`) : [entry],
  );

const known = <Values extends object>(values: Values): Values =>
  // Safe: a value that is undefined says as much as one that is not there.
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;

export function createLessons(): Lessons {
  const dialect: DialectChanges = {};
  return {
    dialect,
    learn(entry, value) {
      if (value !== undefined) dialect[entry] = value;
    },
    learnIn(entry, values = {}) {
      const learned = known({ ...dialect[entry], ...known(values) });
      if (Object.keys(learned).length > 0) Object.assign(dialect, { [entry]: learned });
    },
    unknown: () => namesOf(kitDialect).filter((name) => !namesOf(dialect).includes(name)),
  };
}
