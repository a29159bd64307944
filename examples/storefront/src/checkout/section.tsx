import type { ReactNode } from 'react';

/** One numbered step of the checkout. */
export const Section = ({ step, title, children }: { step: number; title: string; children: ReactNode }) => (
  <section className="step" aria-labelledby={`step-${step}`}>
    <h2 id={`step-${step}`}>
      <span className="step-number" aria-hidden="true">
        {step}
      </span>
      {title}
    </h2>
    {children}
  </section>
);
