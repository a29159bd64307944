import { useWords } from '../words/use-words.ts';
import type { Problems } from './check-draft.ts';
import type { Change, Draft } from './draft.ts';
import { TextField } from './field.tsx';
import { Section } from './section.tsx';

/** Where news of the order goes. */
export function ContactSection({
  draft,
  change,
  problems,
}: {
  draft: Draft;
  change: Change;
  problems: Problems;
}) {
  const { checkout } = useWords();
  return (
    <Section step={5} title={checkout.contact}>
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
    </Section>
  );
}
