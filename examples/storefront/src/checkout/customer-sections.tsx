import type { GameDetail } from '@topup-kit/sdk';
import { useTexts } from '../texts/use-texts.ts';
import { AccountFound } from './account-check.tsx';
import type { Change, Draft, Problems } from './draft.ts';
import { FieldFrame, FormSection, fieldAttributes, TextField } from './form-parts.tsx';

type Props = { game: GameDetail; draft: Draft; change: Change; problems: Problems };

/** Renders the fields of the game account that the game requires. */
export function AccountSection({ game, draft, change, problems }: Props) {
  const { checkout } = useTexts();
  return (
    <FormSection step={1} title={checkout.account}>
      <div className="fields fields-short">
        {game.fields.map((field) => {
          // Safe: the contract has no other account fields.
          const name = field.name as 'id' | 'server';
          const shared = { id: `field-${name}`, label: field.label, problem: problems[name] };
          return field.options ? (
            <FieldFrame key={name} {...shared}>
              <select
                {...fieldAttributes(shared)}
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
      <AccountFound game={game} draft={draft} />
    </FormSection>
  );
}

/** Renders the fields for the contact, which gets messages about the order. */
export function ContactSection({
  draft,
  change,
  problems,
}: {
  draft: Draft;
  change: Change;
  problems: Problems;
}) {
  const { checkout } = useTexts();
  return (
    <FormSection step={5} title={checkout.contact}>
      <div className="fields">
        <TextField
          id="field-phone"
          label={checkout.phone}
          hint={checkout.phoneHint}
          problem={problems.phone}
          type="tel"
          autoComplete="tel"
          required
          maxLength={255}
          value={draft.phone}
          onChange={({ target }) => change({ phone: target.value })}
        />
        <TextField
          id="field-email"
          label={checkout.email}
          problem={problems.email}
          type="email"
          autoComplete="email"
          maxLength={255}
          value={draft.email}
          onChange={({ target }) => change({ email: target.value })}
        />
      </div>
    </FormSection>
  );
}
