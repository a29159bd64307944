import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './style/base.css';
import './style/shell.css';
import './style/catalogue.css';
import './style/checkout.css';
import './style/orders.css';

// The bundle contains only the code for the backend that this variable names.
const sandbox =
  import.meta.env.VITE_TOPUP_BACKEND === 'server'
    ? undefined
    : await (await import('./sandbox/start-sandbox.tsx')).startSandbox();

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      {sandbox && 'replacement' in sandbox ? sandbox.replacement : <App sandbox={sandbox} />}
    </StrictMode>,
  );
