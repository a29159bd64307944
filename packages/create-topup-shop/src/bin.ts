#!/usr/bin/env node
import { createShop, help, ShopError } from './create-shop.ts';

const [folder, ...others] = process.argv.slice(2);

if (folder === '--help' || folder === '-h') process.stdout.write(help);
else
  try {
    process.stdout.write(await createShop(others.length === 0 ? folder : undefined));
  } catch (error) {
    if (!(error instanceof ShopError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
