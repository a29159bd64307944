import { createHash } from 'node:crypto';
import { consoleScript } from './script.ts';
import { consoleStyle } from './style.ts';

/** A file of the console's pages. Its path changes with its content, so that browsers may cache it. */
interface PageFile {
  /** Path below the console's path. */
  path: string;
  type: string;
  text: string;
}

function pageFile(name: string, type: string, text: string): PageFile {
  const [stem, extension] = name.split('.');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return { path: `/files/${stem}-${hash}.${extension}`, type, text };
}

export const styleFile = pageFile('console.css', 'text/css; charset=utf-8', consoleStyle);
export const scriptFile = pageFile('console.js', 'text/javascript; charset=utf-8', consoleScript);

/** Returns the response with a file; undefined if it is not found, for example because its page is from another server version. */
export function fileResponse(name: string): Response | undefined {
  const file = [styleFile, scriptFile].find(({ path }) => path === `/files/${name}`);
  if (!file) return undefined;
  return new Response(file.text, {
    headers: {
      'Content-Type': file.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
