import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listen } from './listen.mjs';

const route = await import(pathToFileURL(resolve('app/hooks/route.ts')).href);
listen((request) => (request.method === 'POST' ? route.POST(request) : new Response(null, { status: 405 })));
