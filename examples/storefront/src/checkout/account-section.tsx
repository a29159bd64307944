import type { GameDetail } from '@topup-kit/sdk';
import { useWords } from '../words/use-words.ts';
import type { Problems } from './check-draft.ts';
import type { Change, Draft } from './draft.ts';
import { described, FieldFrame, TextField } from './field.tsx';
import { Section } from './section.tsx';

type Props = { game: GameDetail; draft: Draft; change: Change; problems: Problems };

/** Whom the order is for: the fields that the game asks for. */
export function AccountSection({ game, draft, change, problems }: Props) {
  const { checkout } = useWords();
  return (
    <Section step={1} title={checkout.account}>
      <div className="fields">
        {game.fields.map((field) => {
          // safe: the contract has no other target fields
          const name = field.name as 'id' | 'server';
          const shared = { id: `field-${name}`, label: field.label, problem: problems[name] };
          return field.options ? (
            <FieldFrame key={name} {...shared}>
              <select
                {...described(shared)}
                required={field.required}
                value={draft[name]}
                onChange={({ target }) => change({ [name]: target.value })}
              >
                <option value="">{checkout.choose}</option>
                {field.options.map((option) => (
                  <option key={option}>{option}</option>
                ))}
              </select>
            </FieldFrame>
          ) : (
            <TextField
              key={name}
              {...shared}
              required={field.required}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={255}
              value={draft[name]}
              onChange={({ target }) => change({ [name]: target.value })}
            />
          );
        })}
      </div>
    </Section>
  );
}
