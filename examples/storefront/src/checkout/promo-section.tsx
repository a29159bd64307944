import { type KeyboardEvent, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { errorWords } from '../words/error-words.ts';
import { rupiah } from '../words/format.ts';
import { useWords } from '../words/use-words.ts';
import { Section } from './section.tsx';
import type { usePromo } from './use-promo.ts';

/** A promo code, tried at once; `isReady` once there is something to try it against. */
export function PromoSection({ promo, isReady }: { promo: ReturnType<typeof usePromo>; isReady: boolean }) {
  const words = useWords();
  const { checkout } = words;
  const [text, setText] = useState(promo.code ?? '');
  const apply = () => promo.apply(text);
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter') return;
    // Else the key would place the order.
    event.preventDefault();
    if (isReady) apply();
  }
  return (
    <Section step={4} title={checkout.promo}>
      <div className="field">
        <label htmlFor="promo">{checkout.promoOptional}</label>
        <div className="promo">
          <input
            id="promo"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={255}
            value={text}
            readOnly={promo.promo !== undefined}
            aria-describedby="promo-said"
            aria-invalid={promo.error !== undefined || undefined}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={onKeyDown}
          />
          {promo.promo ? (
            <button
              type="button"
              className="button"
              onClick={() => {
                promo.remove();
                setText('');
              }}
            >
              {checkout.remove}
            </button>
          ) : (
            <button type="button" className="button" disabled={!isReady || !text.trim()} onClick={apply}>
              {checkout.apply}
            </button>
          )}
        </div>
        <div id="promo-said" role="status">
          {promo.promo && (
            <p className="praise">
              <Icon name="ticket" />
              {checkout.promoOn(promo.promo.promo.code, rupiah(promo.promo.pricing.discount))}
            </p>
          )}
          {promo.error !== undefined && <p className="problem">{errorWords(promo.error, words)}</p>}
          {!isReady && <p className="hint">{checkout.promoFirst}</p>}
        </div>
      </div>
    </Section>
  );
}
