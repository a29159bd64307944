import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  // Without an origin, SvelteKit expects https, and rejects the forms of a page over http.
  plugins: [sveltekit({ adapter: adapter(), paths: { origin: process.env.ORIGIN } })],
});
