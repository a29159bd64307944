import type { InputHTMLAttributes, ReactNode } from 'react';
import { Fold } from './fold.tsx';

/** Renders a numbered step of the checkout. A step that an order doesn't need can be folded. */
export function FormSection({
  step,
  title,
  fold,
  children,
}: {
  step: number;
  title: string;
  fold?: { chosen: string | undefined };
  children: ReactNode;
}) {
  const heading = (
    <h2 id={`step-${step}`}>
      <span className="step-number" aria-hidden="true">
        {step}
      </span>
      {title}
    </h2>
  );
  return (
    <section className="step" aria-labelledby={`step-${step}`}>
      {fold ? (
        <Fold title={heading} {...fold}>
          {children}
        </Fold>
      ) : (
        <>
          {heading}
          {children}
        </>
      )}
    </section>
  );
}

interface FieldProps {
  id: string;
  label: string;
  hint?: string | undefined;
  problem?: string | undefined;
}

export const problemId = (id: string): string => `${id}-problem`;

/** Renders the problem of a field, or nothing if there is none. */
export const Problem = ({ id, children }: { id: string; children: string | undefined }) =>
  children && (
    <p className="problem" id={problemId(id)}>
      {children}
    </p>
  );

/** Returns attributes that link a control to its hint and its problem. */
export const fieldAttributes = ({ id, hint, problem }: FieldProps) => ({
  id,
  'aria-invalid': problem ? true : undefined,
  'aria-describedby': [hint && `${id}-hint`, problem && problemId(id)].filter(Boolean).join(' ') || undefined,
});

export const FieldFrame = ({ children, ...field }: FieldProps & { children: ReactNode }) => (
  <div className="field">
    <label htmlFor={field.id}>{field.label}</label>
    {children}
    {field.hint && (
      <p className="hint" id={`${field.id}-hint`}>
        {field.hint}
      </p>
    )}
    <Problem id={field.id}>{field.problem}</Problem>
  </div>
);

/** Renders a labelled text input. */
export const TextField = ({
  hint,
  problem,
  label,
  id,
  ...input
}: FieldProps & InputHTMLAttributes<HTMLInputElement> & { id: string }) => (
  <FieldFrame {...{ id, label, hint, problem }}>
    <input {...fieldAttributes({ id, label, hint, problem })} {...input} />
  </FieldFrame>
);
