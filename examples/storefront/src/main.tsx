import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './style/base.css';
import './style/shell.css';
import './style/catalogue.css';
import './style/checkout.css';
import './style/orders.css';

// One variable switches the backend: the other one's code is not in the bundle.
const sandbox =
  import.meta.env.VITE_TOPUP_BACKEND === 'server'
    ? undefined
    : await (await import('./sandbox/start-sandbox.tsx')).startSandbox();

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>{sandbox && 'instead' in sandbox ? sandbox.instead : <App sandbox={sandbox} />}</StrictMode>,
  );
