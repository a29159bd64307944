const shapes = {
  bolt: 'M13 2 4 14h6l-1 8 9-12h-6z',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16.5 16.5 21 21',
  receipt: 'M5 3h14v18l-3-2-2 2-2-2-2 2-2-2-3 2zM9 8h6M9 12h6',
  left: 'M15 5l-7 7 7 7',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2',
  cross: 'M6 6l12 12M18 6 6 18',
  spin: 'M12 3a9 9 0 1 1-9 9',
  alert: 'M12 4 2.5 20h19zM12 10v4M12 17v.5',
  undo: 'M4 9h10a5 5 0 0 1 0 10H8M4 9l4-4M4 9l4 4',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  ticket: 'M4 6h16v4a2 2 0 0 0 0 4v4H4v-4a2 2 0 0 0 0-4zM14 6v12',
  flask: 'M9 3h6M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3M7.5 15h9',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
} as const;

export type IconName = keyof typeof shapes;

/** Renders a decorative icon: the text next to it has the same meaning. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg className={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={shapes[name]} />
  </svg>
);
