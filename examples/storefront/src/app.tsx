import { type ReactNode, useEffect } from 'react';
import { Shell } from './parts/shell.tsx';
import { parseRoute, type Route, useHash } from './router.ts';
import { CatalogueScreen } from './screens/catalogue.tsx';
import { CheckoutScreen } from './screens/checkout.tsx';
import { InvoiceScreen } from './screens/invoice.tsx';
import { OrdersScreen } from './screens/orders.tsx';
import { PaymentScreen } from './screens/payment.tsx';
import { UnknownScreen } from './screens/unknown.tsx';
import { useLanguage } from './words/use-words.ts';

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
