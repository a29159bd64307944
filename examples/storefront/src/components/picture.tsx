import { useState } from 'react';

/** Renders a decorative picture: the text next to it has the same meaning. If the picture can't be loaded, a coloured box is shown. */
export function Picture({ src, className }: { src: string; className: string }) {
  const [failedSrc, setFailedSrc] = useState<string>();
  if (failedSrc === src) return <span className={`${className} picture-missing`} aria-hidden="true" />;
  return (
    <img
      className={className}
      src={src}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setFailedSrc(src)}
    />
  );
}
