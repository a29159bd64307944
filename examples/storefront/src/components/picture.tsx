import { useState } from 'react';

/** A picture. If it can't be loaded, its `alt` text or an empty coloured box is shown. */
export function Picture({ src, className, alt = '' }: { src: string; className: string; alt?: string }) {
  const [failedSrc, setFailedSrc] = useState<string>();
  if (failedSrc !== src)
    return (
      <img
        className={className}
        src={src}
        alt={alt}
        loading="lazy"
        decoding="async"
        onError={() => setFailedSrc(src)}
      />
    );
  return alt ? <span>{alt}</span> : <span className={`${className} picture-missing`} aria-hidden="true" />;
}
