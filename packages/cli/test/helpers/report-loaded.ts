import { registerHooks } from 'node:module';

/** Prints the modules that are loaded to stderr; for `node --import`. */
registerHooks({
  load(url, context, nextLoad) {
    process.stderr.write(`loaded ${url}\n`);
    return nextLoad(url, context);
  },
});
