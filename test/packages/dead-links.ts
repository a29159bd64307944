import { dirname, join, normalize } from 'node:path/posix';

const link = /\]\(([^)\s]*)\)/g;

const withoutCode = (text: string): string => text.replace(/^```.*?^```$|`[^`\n]*`/gms, '');

/** The anchor that a heading has on pages of Markdown. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(' ', '-');

function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
  const ids = [...text.matchAll(/<a id="([^"]*)"/g)].map(([, id = '']) => id);
  return [...headings, ...ids];
}

/** The relative links in the Markdown texts of a package that lead to no file or heading of it, as `text: link`. */
export function deadLinks(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([path, text]) =>
    path.endsWith('.md') && !path.includes('node_modules/')
      ? [...withoutCode(text).matchAll(link)].flatMap(([, target = '']) => {
          if (URL.canParse(target)) return [];
          const [file = '', anchor] = target.split('#');
          const linked = files.get(file === '' ? path : normalize(join(dirname(path), file)));
          const leads = linked !== undefined && (anchor === undefined || anchorsOf(linked).includes(anchor));
          return leads ? [] : [`${path}: ${target}`];
        })
      : [],
  );
}
