import type { ReactNode } from 'react';
import { useReach } from '../reach.ts';
import { paths } from '../router.ts';
import { setLanguage, useLanguage, useWords } from '../words/use-words.ts';
import { Icon } from './icon.tsx';

/** What stands around every screen. */
export function Shell({ children }: { children: ReactNode }) {
  const words = useWords();
  const language = useLanguage();
  const reachable = useReach();
  const other = language === 'id' ? 'en' : 'id';
  return (
    <div className="shop">
      <button type="button" className="skip" onClick={() => document.querySelector('h1')?.focus()}>
        {words.skip}
      </button>
      <header className="header">
        <div className="header-row">
          <a className="logo" href={paths.catalogue} aria-label={words.home}>
            <Icon name="bolt" />
            <span>{words.shop}</span>
          </a>
          <nav className="header-links" aria-label={words.shop}>
            <a className="header-link" href={paths.orders}>
              <Icon name="receipt" />
              <span>{words.myOrders}</span>
            </a>
            <button type="button" className="header-link" lang={other} onClick={() => setLanguage(other)}>
              {words.otherLanguage}
            </button>
          </nav>
        </div>
      </header>
      <div className="reach" role="status">
        {!reachable && (
          <p>
            <Icon name="alert" /> {words.unreachable}
          </p>
        )}
      </div>
      <main className="main" lang={language}>
        {children}
      </main>
      <footer className="footer">
        <p>{words.footer}</p>
      </footer>
    </div>
  );
}
