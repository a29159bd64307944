import { useEffect, useState } from 'react';

interface Game {
  slug: string;
  title: string;
  image: string;
}

/** Represents your app. It needs only the path of the service; nothing in it depends on the mock. */
async function listGames(): Promise<Game[]> {
  const response = await fetch('/api/games', { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`The service responded with ${response.status}.`);
  return (await response.json()).games;
}

export function Games() {
  const [games, setGames] = useState<Game[]>([]);
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    listGames().then(setGames, (error: unknown) => setFailure(String(error)));
  }, []);
  if (failure !== undefined) return <p role="alert">{failure}</p>;
  return (
    <ul>
      {games.map(({ slug, title, image }) => (
        <li key={slug}>
          <img src={image} alt="" width="64" height="64" /> {title}
        </li>
      ))}
    </ul>
  );
}
