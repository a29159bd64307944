import { type ReactNode, useEffect } from 'react';
import { useReach } from './client.ts';
import { Icon } from './components/icon.tsx';
import { Screen } from './components/screen.tsx';
import { parseRoute, paths, type Route, useHash } from './router.ts';
import { CatalogueScreen } from './screens/catalogue.tsx';
import { CheckoutScreen } from './screens/checkout.tsx';
import { InvoiceScreen } from './screens/invoice.tsx';
import { OrdersScreen } from './screens/orders.tsx';
import { PaymentScreen } from './screens/payment.tsx';
import { setLanguage, useLanguage, useWords } from './texts/use-texts.ts';

/** What only a shop on the mock has. */
export interface SandboxParts {
  drawer: ReactNode;
  /** Stands for the page of an e-wallet, which pays the order of a reference. */
  wallet: (reference: string) => ReactNode;
}

function CurrentScreen({ route, sandbox }: { route: Route; sandbox: SandboxParts | undefined }) {
  switch (route.screen) {
    case 'catalogue':
      return <CatalogueScreen category={route.category} search={route.search} />;
    case 'checkout':
      return <CheckoutScreen key={route.slug} slug={route.slug} />;
    case 'payment':
      return <PaymentScreen key={route.orderId} orderId={route.orderId} />;
    case 'invoice':
      return <InvoiceScreen key={route.orderId} orderId={route.orderId} />;
    case 'orders':
      return <OrdersScreen />;
    case 'wallet':
      return sandbox ? sandbox.wallet(route.reference) : <UnknownScreen />;
    case 'unknown':
      return <UnknownScreen />;
  }
}

export function App({ sandbox }: { sandbox: SandboxParts | undefined }) {
  const hash = useHash();
  const language = useLanguage();
  const route = parseRoute(hash);
  const [path] = hash.split('?');
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each screen begins at its top
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [path]);
  return (
    <>
      <Shell>
        <CurrentScreen route={route} sandbox={sandbox} />
      </Shell>
      {sandbox?.drawer}
    </>
  );
}

/** What stands around every screen. */
function Shell({ children }: { children: ReactNode }) {
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

function UnknownScreen() {
  const { unknown } = useWords();
  return (
    <Screen title={unknown.title} name="unknown">
      <div className="empty">
        <h1 tabIndex={-1}>{unknown.title}</h1>
        <p>{unknown.says}</p>
        <a className="button" href={paths.catalogue}>
          {unknown.home}
        </a>
      </div>
    </Screen>
  );
}
