import { defineConfig } from 'vite';
import { topupProxy } from './server/topup-proxy.ts';

export default defineConfig({ plugins: [topupProxy()] });
