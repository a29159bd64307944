import { type ReactNode, useState } from 'react';

/** Where there is room for everything, nothing is folded at first. */
const hasRoom = (): boolean => matchMedia('(min-width: 56rem)').matches;

/** A part of the form that a visitor on a phone need not see to order. What is chosen in it is told while it is folded. */
export function Fold({
  title,
  chosen,
  isOpen = false,
  children,
}: {
  title: ReactNode;
  /** What is in it, in short. */
  chosen?: string | undefined;
  /** Whether it is open at first, also on a phone. */
  isOpen?: boolean;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(() => isOpen || hasRoom());
  return (
    <details className="fold" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {title}
        {!open && chosen && <span className="fold-chosen">{chosen}</span>}
      </summary>
      {children}
    </details>
  );
}
