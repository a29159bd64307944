import { dialectNames } from './dialect.ts';

/** In place of the shop, for whoever asks for a service that nobody knows. */
export const UnknownDialect = ({ name }: { name: string }) => (
  <main className="screen" lang="en">
    <h1 className="screen-title">There is no dialect “{name}”</h1>
    <p>A service of this mock speaks one of these:</p>
    <ul>
      {dialectNames.map((one) => (
        <li key={one}>
          <a href={`?dialect=${encodeURIComponent(one)}`}>{one}</a>
        </li>
      ))}
    </ul>
  </main>
);
