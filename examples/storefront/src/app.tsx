import { type ReactNode, useEffect } from 'react';
import { useOnline } from './client.ts';
import { Icon } from './components/icon.tsx';
import { Screen } from './components/screen.tsx';
import { parseRoute, paths, type Route, useHash } from './router.ts';
import { CatalogueScreen } from './screens/catalogue.tsx';
import { CheckoutScreen } from './screens/checkout.tsx';
import { InvoiceScreen } from './screens/invoice.tsx';
import { OrdersScreen } from './screens/orders.tsx';
import { PaymentScreen } from './screens/payment.tsx';
import { setLanguage, useLanguage } from './texts/language.ts';
import { useTexts } from './texts/use-texts.ts';

/** Parts of the page that exist only if the shop runs on the mock. */
export interface SandboxParts {
  drawer: ReactNode;
  /** Replaces the page of an e-wallet; `reference` is the payment reference of the order. */
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
      return sandbox ? sandbox.wallet(route.reference) : <NotFoundScreen />;
    case 'unknown':
      return <NotFoundScreen />;
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: each screen starts at the top
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

/** Renders the header and footer around every screen. */
function Shell({ children }: { children: ReactNode }) {
  const texts = useTexts();
  const language = useLanguage();
  const isOnline = useOnline();
  const other = language === 'id' ? 'en' : 'id';
  return (
    <div className="shop">
      <button type="button" className="skip" onClick={() => document.querySelector('h1')?.focus()}>
        {texts.skip}
      </button>
      <header className="header">
        <div className="header-row">
          <a className="logo" href={paths.catalogue} aria-label={texts.home}>
            <Icon name="bolt" />
            <span>{texts.shop}</span>
          </a>
          <nav className="header-links" aria-label={texts.shop}>
            <a className="header-link" href={paths.orders}>
              <Icon name="receipt" />
              <span>{texts.myOrders}</span>
            </a>
            <button type="button" className="header-link" lang={other} onClick={() => setLanguage(other)}>
              {texts.otherLanguage}
            </button>
          </nav>
        </div>
      </header>
      <div className="connection" role="status">
        {!isOnline && (
          <p>
            <Icon name="alert" /> {texts.offline}
          </p>
        )}
      </div>
      <main className="main" lang={language}>
        {children}
      </main>
      <footer className="footer">
        <p>{texts.footer}</p>
      </footer>
    </div>
  );
}

function NotFoundScreen() {
  const { unknown } = useTexts();
  return (
    <Screen title={unknown.title} name="unknown">
      <div className="empty">
        <h1 tabIndex={-1}>{unknown.title}</h1>
        <p>{unknown.text}</p>
        <a className="button" href={paths.catalogue}>
          {unknown.home}
        </a>
      </div>
    </Screen>
  );
}
