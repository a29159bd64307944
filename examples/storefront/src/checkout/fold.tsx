import { type ReactNode, useState } from 'react';

/** Tells whether there is room for everything, so that nothing is folded at first. */
const hasRoom = (): boolean => matchMedia('(min-width: 56rem)').matches;

/** Renders a part of the form that a visitor on a phone need not see to order. When it is folded, it shows the selection in it. */
export function Fold({
  title,
  chosen,
  isOpen = false,
  children,
}: {
  title: ReactNode;
  /** Short text of the selection in this part. */
  chosen?: string | undefined;
  /** True if the part is open at first, even on a phone. */
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
