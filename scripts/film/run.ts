import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { drawFilm } from './draw.ts';
import { record } from './record.ts';
import { takeShopPicture } from './shop.ts';

/** Path of the film that README shows. */
export const filmFile = join(import.meta.dirname, '../../docs/pictures/topup.svg');
export const filmTitle =
  'topup asks what to order, shows the QR code of the payment, and follows the order to its delivery';

if (import.meta.main) {
  const [port] = new Command('film')
    .description('Films a first order with topup, and takes a picture of the example shop, for README.md.')
    .argument('[port]', 'port of the sandbox that the film shows', '4000')
    .parse().processedArgs;
  await writeFile(filmFile, drawFilm(await record(port), filmTitle));
  await takeShopPicture();
}
