import { createRoot } from 'react-dom/client';
import { Games } from './games.tsx';

// A build leaves the mock out, because Vite drops what stands under DEV.
if (import.meta.env.DEV) {
  const { startMock } = await import('./mock.ts');
  await startMock();
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<Games />);
