import { createRoot } from 'react-dom/client';
import { Games } from './games.tsx';

// Vite removes this block from a build, so the mock is not in it.
if (import.meta.env.DEV) {
  const { startMock } = await import('./mock.ts');
  await startMock();
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<Games />);
