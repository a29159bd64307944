import { registerHooks } from 'node:module';

/** Tells on stderr which modules are loaded; for `node --import`. */
registerHooks({
  load(url, context, nextLoad) {
    process.stderr.write(`loaded ${url}\n`);
    return nextLoad(url, context);
  },
});
