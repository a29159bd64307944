import { useState } from 'react';

/**
 * A picture. It has an `alt` where it stands alone; one that can't be loaded leaves that, or its coloured place.
 */
export function Picture({ src, className, alt = '' }: { src: string; className: string; alt?: string }) {
  const [broken, setBroken] = useState<string>();
  if (broken !== src)
    return (
      <img
        className={className}
        src={src}
        alt={alt}
        loading="lazy"
        decoding="async"
        onError={() => setBroken(src)}
      />
    );
  return alt ? <span>{alt}</span> : <span className={`${className} picture-missing`} aria-hidden="true" />;
}
