import type { CreateSection } from '../section.ts';
import { sectionTitles } from '../texts.ts';

/** What waits, and how the day goes. */
export const homePages: CreateSection = ({ position }) => ({
  actions: [],
  pages: [
    {
      path: '',
      async render(view) {
        return {
          section: 'home',
          title: view.text(sectionTitles.home),
          content: '',
          live: { orders: 'all', position: await position() },
        };
      },
    },
  ],
});
